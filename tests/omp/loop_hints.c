// options: -fopenmp
// Directives and clauses that help optimisers, or say where variables are: `declare simd`, `ordered simd`, `tile`,
// `unroll`, `allocate`.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

enum { N = 24 };

#pragma omp declare simd uniform(a, n) linear(i : 1) aligned(a : 8) notinbranch
#pragma omp declare simd simdlen(4) inbranch
static double twice(const double *a, int n, int i) { return i < n ? 2 * a[i] : 0; }

static int fixed[4];
#pragma omp allocate(fixed) allocator(omp_default_mem_alloc) align(256)

int main(void)
{
    double a[N], sum = 0;
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += twice(a, N, i);
    printf("%g\n", sum);

    int last = -1, ordered = 1;
#pragma omp simd
    for (int i = 0; i < N; i++) {
#pragma omp ordered simd
        {
            ordered &= i == last + 1;
            last = i;
        }
    }
    printf("%d %d\n", ordered, last);

    int tiled = 0, outer = 0;
#pragma omp tile sizes(4, 5)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 7; j++)
            tiled += i * j;
#pragma omp parallel for num_threads(2) reduction(+ : outer)
#pragma omp tile sizes(8)
    for (int i = 0; i < N; i++) {
#pragma omp unroll partial(2)
        for (int j = 0; j < 7; j++)
            outer += i * j;
    }
    int device = 0;
#pragma omp target teams distribute parallel for reduction(+ : device)
#pragma omp unroll
    for (int i = 0; i < N; i++) {
#pragma omp unroll full
        for (int j = 0; j < 4; j++)
            device += i + j;
    }
    printf("%d %d %d\n", tiled, outer, device);

    int first = 3, copies = 0;
#pragma omp allocate(copies)
#pragma omp parallel num_threads(2) firstprivate(first) allocate(omp_default_mem_alloc : first) reduction(+ : copies)
    copies += first++ == 3;
    printf("%d %d\n", first, copies);
    int wide[3];
#pragma omp allocate(wide) align(128)
    wide[1] = 7;
    printf("%d %d %d\n", (int)((uintptr_t)wide % 128), (int)((uintptr_t)fixed % 256), wide[1]);
#pragma omp target map(tofrom : first) uses_allocators(omp_default_mem_alloc)
    first += 2;
    printf("%d\n", first);
    return 0;
}
