// options: -fopenmp
// Locks and nested locks, with tests, in threads and in tasks.
#include <omp.h>
#include <stdio.h>

static omp_nest_lock_t nest;
static int total;

static int add(int depth)
{
    omp_set_nest_lock(&nest);
    int count = 1;
    if (depth > 0)
        count += add(depth - 1);
    else
        count = omp_test_nest_lock(&nest);
    total++;
    if (depth == 0)
        omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    return count;
}

int main(void)
{
    omp_lock_t lock, hinted;
    int sum = 0, tried = 0, depths = 0;
    omp_init_lock(&lock);
    omp_init_lock_with_hint(&hinted, omp_sync_hint_contended);
    omp_init_nest_lock(&nest);
#pragma omp parallel for reduction(+ : depths)
    for (int i = 0; i < 400; i++) {
        omp_set_lock(&lock);
        sum = sum + i;
        omp_unset_lock(&lock);
        while (!omp_test_lock(&hinted)) {
#pragma omp taskyield
        }
        tried = tried + 1;
        omp_unset_lock(&hinted);
        depths += add(3) == 3 + 5;
    }
    printf("%d %d %d %d\n", sum, tried, total, depths);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task shared(lock, sum)
        {
            omp_set_lock(&lock);
            sum = sum + 1;
            omp_unset_lock(&lock);
        }
    }
    printf("%d %d %d\n", sum, omp_test_lock(&lock), omp_test_lock(&lock));
    omp_unset_lock(&lock);
    // A team whose threads take a lock is as large as one whose threads do not.
    int plain = 0, locked = 0;
#pragma omp parallel num_threads(3)
#pragma omp atomic
    plain++;
#pragma omp parallel num_threads(3)
    {
        omp_set_lock(&lock);
        locked++;
        omp_unset_lock(&lock);
    }
    printf("%d\n", plain == locked);
    omp_destroy_lock(&lock);
    omp_destroy_lock(&hinted);
    omp_destroy_nest_lock(&nest);
    return 0;
}
