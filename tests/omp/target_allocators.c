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

    int of_own = 0, levels = 0, devices = 0;
#pragma omp target map(tofrom : of_own, levels, devices)
    {
        omp_alloctrait_t traits[] = {{omp_atk_fallback, omp_atv_null_fb}, {omp_atk_alignment, 256}};
        omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 2, traits);
        for (int bytes = 1; bytes < 1000; bytes *= 10) {
            char *block = omp_alloc(bytes, allocator), *more = omp_calloc(1, bytes, allocator);
            of_own += is_at(block, 256) + is_at(more, 256) + (more[bytes - 1] == 0);
            omp_free(block, allocator);
            omp_free(more, allocator);
        }
        omp_destroy_allocator(allocator);
        omp_alloctrait_t odd[] = {{omp_atk_alignment, 24}};
        of_own += omp_init_allocator(omp_default_mem_space, 1, odd) == omp_null_allocator;
        levels = omp_get_supported_active_levels() >= omp_get_max_active_levels();
        devices = omp_get_initial_device() == omp_get_num_devices();
    }
    printf("%d %d %d\n", of_own, levels, devices);
    return 0;
}
