// The run-time library of OpenMP, as a program with one thread sees it on the host.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void threads(void)
{
    omp_set_num_threads(8);
    printf("threads %d of %d, number %d, parallel %d, level %d\n", omp_get_num_threads(), omp_get_max_threads(),
           omp_get_thread_num(), omp_in_parallel(), omp_get_level());
    printf("ancestors %d %d, teams %d %d\n", omp_get_ancestor_thread_num(0), omp_get_ancestor_thread_num(1),
           omp_get_team_size(0), omp_get_team_size(1));
    omp_sched_t kind;
    int chunk;
    omp_set_schedule(omp_sched_guided, 16);
    omp_get_schedule(&kind, &chunk);
    omp_set_dynamic(1);
    printf("schedule %d %d, dynamic %d\n", kind, chunk, omp_get_dynamic());
    printf("places %d %d, bound %d, pause %d\n", omp_get_num_places(), omp_get_place_num(), omp_get_proc_bind(),
           omp_pause_resource_all(omp_pause_soft));
    double start = omp_get_wtime();
    printf("time %d\n", omp_get_wtime() >= start && omp_get_wtick() > 0);
}

static void locks(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
    int first = omp_test_lock(&lock), second = omp_test_lock(&lock);
    omp_unset_lock(&lock);
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
    omp_nest_lock_t nest;
    omp_init_nest_lock_with_hint(&nest, omp_sync_hint_contended);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    int depth = omp_test_nest_lock(&nest);
    for (int i = 0; i < depth; i++)
        omp_unset_nest_lock(&nest);
    printf("locks %d %d, depth %d, again %d\n", first, second, depth, omp_test_nest_lock(&nest));
    omp_unset_nest_lock(&nest);
    omp_destroy_nest_lock(&nest);
}

static void allocators(void)
{
    omp_alloctrait_t traits[] = {
        {omp_atk_alignment, 256}, {omp_atk_pool_size, 1000}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 3, traits);
    char *block = omp_alloc(600, allocator), *more = omp_alloc(600, allocator);
    memset(block, 1, 600);
    printf("aligned %d, pool exhausted %d", (uintptr_t)block % 256 == 0, more == NULL);
    omp_free(block, allocator);
    more = omp_alloc(1000, allocator);
    printf(", free again %d\n", more != NULL);
    omp_free(more, omp_null_allocator);
    omp_destroy_allocator(allocator);
    printf("default allocator %d\n", omp_get_default_allocator() == omp_default_mem_alloc);
}

static void devices(void)
{
    int host = omp_get_initial_device();
    printf("default %d, initial behind the others %d %d\n", omp_get_default_device(), host == omp_get_num_devices(),
           omp_is_initial_device());
    int from[3][4], to[2][2] = {{0}};
    for (int i = 0; i < 12; i++)
        from[i / 4][i % 4] = i;
    size_t volume[] = {2, 2}, to_offsets[] = {0, 0}, from_offsets[] = {1, 2}, to_dims[] = {2, 2}, from_dims[] = {3, 4};
    int status = omp_target_memcpy_rect(to, from, sizeof(int), 2, volume, to_offsets, from_offsets, to_dims, from_dims,
                                        host, host);
    printf("rectangle %d: %d %d %d %d\n", status, to[0][0], to[0][1], to[1][0], to[1][1]);
    int *block = omp_target_alloc(sizeof to, host);
    status = omp_target_memcpy(block, to, sizeof to, 0, 0, host, host);
    printf("copy %d: %d, present %d, elsewhere %d\n", status, block[3], omp_target_is_present(block, host),
           omp_target_alloc(4, 7) == NULL);
    omp_target_free(block, host);
}

static void affinity(void)
{
    char text[32];
    omp_set_affinity_format("thread %0.3n of %{num_threads}");
    size_t length = omp_get_affinity_format(text, 7);
    printf("%zu [%s]", length, text);
    length = omp_capture_affinity(text, sizeof text, NULL);
    printf(" %zu [%s]\n", length, text);
}

int main(void)
{
    threads();
    locks();
    allocators();
    devices();
    affinity();
    return 0;
}
