// options: -fopenmp
// Code of a device takes memory from allocators and gives it back.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

static int is_at(const void *p, uintptr_t alignment) { return p && (uintptr_t)p % alignment == 0; }

int main(void)
{
    int sums[8], aligned = 0, kept = 0, zeros = 0;

#pragma omp target teams distribute parallel for map(from : sums) uses_allocators(omp_default_mem_alloc)
    for (int i = 0; i < 8; i++) {
        int *own = omp_alloc(10 * sizeof *own, omp_default_mem_alloc);
        for (int k = 0; k < 10; k++)
            own[k] = i + k;
        sums[i] = 0;
        for (int k = 0; k < 10; k++)
            sums[i] += own[k];
        omp_free(own, omp_default_mem_alloc);
    }
    for (int i = 0; i < 8; i++)
        printf("%d ", sums[i]);

#pragma omp target map(tofrom : aligned, kept, zeros)
    {
        for (int k = 0; k < 9; k++) {
            char *block = omp_aligned_alloc(1 << k, 100 << k, omp_get_default_allocator());
            aligned += is_at(block, 1 << k);
            block[0] = block[(100 << k) - 1] = 1;
            omp_free(block, omp_null_allocator);
        }
        int *some = omp_calloc(20, sizeof *some, omp_large_cap_mem_alloc);
        for (int k = 0; k < 20; k++)
            zeros += some[k] == 0, some[k] = k;
        some = omp_realloc(some, 1000 * sizeof *some, omp_default_mem_alloc, omp_large_cap_mem_alloc);
        some[999] = 5;
        for (int k = 0; k < 20; k++)
            kept += some[k] == k;
        some = omp_realloc(some, 2 * sizeof *some, omp_default_mem_alloc, omp_default_mem_alloc);
        kept += some[1] == 1;
        kept += omp_realloc(some, 0, omp_default_mem_alloc, omp_default_mem_alloc) == NULL;
        kept += omp_alloc(0, omp_default_mem_alloc) == NULL;
        omp_free(NULL, omp_default_mem_alloc);
    }
    printf("%d %d %d\n", aligned, kept, zeros);
    return 0;
}
