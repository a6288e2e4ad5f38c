// options: -fopenmp
// Unsigned counters that wrap around on the step over the bound: how often a loop runs is known before it does.
#include <limits.h>
#include <stdio.h>

#define LOOP(directive, ...) \
    do { \
        int count = 0; \
        _Pragma(directive) for (__VA_ARGS__) count++; \
        printf("%d ", count); \
    } while (0)

#define LOOPS(directive) \
    do { \
        LOOP(directive, unsigned i = 20; i > 3; i -= 7); \
        LOOP(directive, unsigned i = 20; i >= 6; i -= 7); \
        LOOP(directive, unsigned i = 0; i < UINT_MAX - 1; i += 0x40000001); \
        LOOP(directive, unsigned i = UINT_MAX - 5; i <= top; i += 7); \
        LOOP(directive, unsigned i = UINT_MAX - 9; i < top; i += step); \
        LOOP(directive, unsigned long i = 9; i > 0; i -= 4); \
        LOOP(directive, unsigned long i = ULONG_MAX - 9; i < ULONG_MAX - 1; i += 5); \
        LOOP(directive, unsigned char i = 200; i < 250; i += 60); \
        LOOP(directive, unsigned short i = 65000; i < 65500; i = 300 + i); \
        puts(""); \
    } while (0)

int main(void)
{
    unsigned top = UINT_MAX - 1, step = 4;
    LOOPS("omp parallel for reduction(+ : count)");
    LOOPS("omp parallel for schedule(dynamic, 2) reduction(+ : count)");
    LOOPS("omp simd reduction(+ : count)");
    LOOPS("omp taskloop reduction(+ : count)");
    LOOPS("omp target parallel for reduction(+ : count)");
    LOOPS("omp target teams distribute parallel for reduction(+ : count)");
    LOOPS("omp target teams distribute parallel for num_teams(3) reduction(+ : count)");
    LOOPS("omp target teams loop reduction(+ : count)");
    LOOPS("omp target simd reduction(+ : count)");
    LOOPS("acc parallel loop reduction(+ : count)");
    LOOPS("acc parallel loop gang vector num_gangs(4) reduction(+ : count)");

    // Inner loops of a nest, and values.
    int count = 0, bits = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : count) reduction(| : bits)
    for (unsigned j = UINT_MAX - 5; j < UINT_MAX - 2; j += 2)
        for (unsigned k = 20; k > 3; k -= 7) {
            count++;
            bits |= 1 << (k - 5);
        }
    printf("%d %x\n", count, bits);
    count = 0;
#pragma omp parallel for collapse(3) reduction(+ : count)
    for (int i = 0; i < 2; i++)
        for (unsigned j = UINT_MAX - 5; j < UINT_MAX - 2; j += 6)
            for (unsigned long k = 1; k > 0; k -= 2)
                count++;
    printf("%d\n", count);
    return 0;
}
