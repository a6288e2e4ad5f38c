// options: -fopenmp
// Forms of loops: types, directions, comparisons, steps, bounds that are far away or empty.
#include <limits.h>
#include <stdio.h>

#define COUNT(head, sum_of)                                                             \
    do {                                                                                \
        long n = 0, s = 0;                                                              \
        _Pragma("omp parallel for schedule(dynamic, 3) reduction(+ : n, s)") head       \
        {                                                                               \
            n++;                                                                        \
            s += (long)(sum_of);                                                        \
        }                                                                               \
        printf("%ld %ld\n", n, s);                                                      \
    } while (0)

int main(void)
{
    int cells[50], low = 3, high = 3;
    for (int i = 0; i < 50; i++)
        cells[i] = i;
    COUNT(for (int i = 0; i < 17; i++), i);
    COUNT(for (int i = 0; i <= 17; ++i), i);
    COUNT(for (int i = 17; i > 0; i--), i);
    COUNT(for (int i = 17; i >= 0; --i), i);
    COUNT(for (int i = 0; i != 17; i++), i);
    COUNT(for (int i = 17; i != 0; i--), i);
    COUNT(for (int i = 0; i < 17; i += 5), i);
    COUNT(for (int i = 17; i > -4; i -= 6), i);
    COUNT(for (int i = 0; i < 17; i = i + 4), i);
    COUNT(for (int i = 0; i < 17; i = 4 + i), i);
    COUNT(for (int i = 17; i > 0; i = i - 4), i);
    COUNT(for (int i = 0; 17 > i; i++), i);
    COUNT(for (int i = low; i < high; i++), i);
    COUNT(for (int i = 5; i < 2; i++), i);
    COUNT(for (int i = 2; i > 5; i--), i);
    COUNT(for (unsigned i = 0; i < 10; i++), i);
    COUNT(for (unsigned i = 10; i > 0; i--), i);
    COUNT(for (unsigned i = UINT_MAX - 4; i < UINT_MAX; i++), i - UINT_MAX + 5);
    COUNT(for (unsigned i = 5; i < 3; i++), i);
    COUNT(for (unsigned char c = 240; c < 253; c += 2), c);
    COUNT(for (signed char c = -128; c < 100; c += 40), c);
    COUNT(for (short i = -3; i <= 3; i++), i);
    COUNT(for (long i = LONG_MAX - 3; i < LONG_MAX; i++), LONG_MAX - i);
    COUNT(for (long i = LONG_MIN; i < LONG_MIN + 4; i++), i - LONG_MIN);
    COUNT(for (int i = INT_MIN; i < INT_MAX - 300000000; i += 400000000), i / 100000000);
    COUNT(for (unsigned long i = ULONG_MAX - 2; i < ULONG_MAX; i++), ULONG_MAX - i);
    COUNT(for (long i = 0; i < 4000000000L; i += 500000000L), i / 1000);
    COUNT(for (int *p = cells; p < cells + 50; p++), *p);
    COUNT(for (int *p = cells + 49; p >= cells + 1; p -= 7), *p);
    COUNT(for (int *p = cells; p != cells + 50; p++), *p);
    COUNT(for (const int *p = cells; p <= cells + 20; p += 4), *p);
    return 0;
}
