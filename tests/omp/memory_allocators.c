// options: -fopenmp OMP_ALLOCATOR=omp_cgroup_mem_alloc
// Allocators with traits: alignment, pools, fallbacks, blocks that change their size.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int is_zero(const unsigned char *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (p[i] != 0)
            return 0;
    return 1;
}

int main(void)
{
    printf("%d\n", omp_get_default_allocator() == omp_cgroup_mem_alloc);
    const omp_alloctrait_t traits[] = {
        { omp_atk_alignment, 128 }, { omp_atk_pool_size, 8192 }, { omp_atk_fallback, omp_atv_null_fb },
    };
    omp_allocator_handle_t own = omp_init_allocator(omp_default_mem_space, 3, traits);
    unsigned char *a = omp_alloc(3000, own), *b = omp_alloc(6000, own);
    printf("%d %d %d\n", (int)((uintptr_t)a % 128), b == NULL, omp_alloc(0, own) == NULL);
    memset(a, 7, 3000);
    a = omp_realloc(a, 4000, own, own);
    printf("%d %d %d\n", a != NULL, (int)((uintptr_t)a % 128), a[0] + a[2999]);
    omp_free(a, own);
    b = omp_calloc(30, 100, own);
    printf("%d %d\n", b != NULL && is_zero(b, 3000), (int)((uintptr_t)b % 128));
    // The contents move to another allocator, and the pool is free again.
    memset(b, 3, 3000);
    b = omp_realloc(b, 100, omp_default_mem_alloc, own);
    a = omp_aligned_calloc(1024, 10, 300, own);
    printf("%d %d %d\n", b[99], a != NULL && is_zero(a, 3000), (int)((uintptr_t)a % 1024));
    omp_free(a, omp_null_allocator);
    printf("%d\n", omp_realloc(b, 0, omp_null_allocator, omp_null_allocator) == NULL);

    const omp_alloctrait_t small[] = {
        { omp_atk_pool_size, 64 }, { omp_atk_fallback, omp_atv_allocator_fb }, { omp_atk_fb_data, (omp_uintptr_t)own },
    };
    omp_allocator_handle_t other = omp_init_allocator(omp_large_cap_mem_space, 3, small);
    omp_set_default_allocator(other);
    a = omp_aligned_alloc(64, 1000, omp_null_allocator);
    printf("%d %d\n", a != NULL, (int)((uintptr_t)a % 128));
    printf("%d\n", omp_calloc(SIZE_MAX / 2, 4, other) == NULL);
    omp_free(a, other);
    omp_set_default_allocator(omp_default_mem_alloc);
    omp_destroy_allocator(other);
    omp_destroy_allocator(own);
    return 0;
}
