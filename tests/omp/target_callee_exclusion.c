// options: -fopenmp
// `critical`, locks and reductions of tasks in functions that a device calls, from loops of one team and of one thread.
#include <omp.h>
#include <stdio.h>

#pragma omp begin declare target
long total, most;
int steps;

static void add(long by)
{
#pragma omp critical
    {
        total = total + by;
        if (by > most)
            most = by;
    }
#pragma omp critical(other)
    steps = steps + 1;
}

static void add_twice(long by)
{
    add(by);
    add(-by / 2);
}

static int with_lock(omp_lock_t *lock, int *sum, int by)
{
    int before;
    if (!omp_test_lock(lock))
        omp_set_lock(lock);
    before = *sum;
    *sum = before + by;
    omp_unset_lock(lock);
    return before;
}

static int nested(omp_nest_lock_t *lock, int depth, int *sum)
{
    omp_set_nest_lock(lock);
    *sum = *sum + 1;
    int held = omp_test_nest_lock(lock);
    omp_unset_nest_lock(lock);
    if (depth > 0)
        held = nested(lock, depth - 1, sum);
    omp_unset_nest_lock(lock);
    return held;
}

static int of_tasks(int n, int from)
{
    int sum = from, most = 0;
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(max : most)
    {
        for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(max : most) firstprivate(i)
            {
                sum += i;
                if (i % 7 > most)
                    most = i % 7;
#pragma omp task in_reduction(+ : sum)
                sum += 100;
            }
        }
#pragma omp taskloop in_reduction(+ : sum)
        for (int i = 0; i < 10; i++)
            sum += 1000;
    }
    return sum * 10 + most;
}

static int of_for(const int *a, int n)
{
    int sum = 1;
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}
#pragma omp end declare target

// Teams exclude each other, too.
static void of_teams(void)
{
    long all = 0, of_locks = 0;
    int held[8] = { 0 };
#pragma omp target teams distribute parallel for num_teams(4) map(tofrom : all)
    for (int i = 0; i < 200; i++) {
#pragma omp critical
        {
            all = all + i;
            if (all > 1000000)
                all = 0;
        }
    }
#pragma omp target teams distribute map(tofrom : all, held)
    for (int i = 0; i < 8; i++) {
#pragma omp parallel for
        for (int j = 0; j < 40; j++) {
#pragma omp critical(other)
            all = all * (all < 0) + all + j;
        }
        held[i] = i;
    }
#pragma omp target update to(total, steps)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 300; i++)
        add(1);
#pragma omp target update from(total, steps)
    omp_lock_t lock;
    int by_lock = 0;
#pragma omp target enter data map(alloc : lock)
#pragma omp target map(present, alloc : lock)
    omp_init_lock(&lock);
#pragma omp target teams distribute parallel for map(tofrom : by_lock) map(present, alloc : lock) num_teams(3)
    for (int i = 0; i < 90; i++)
        with_lock(&lock, &by_lock, i);
#pragma omp target exit data map(delete : lock)
    for (int i = 0; i < 8; i++)
        of_locks += held[i];
    printf("%ld %ld %d %d %ld\n", all, total, steps, by_lock, of_locks);
}

int main(void)
{
    int sum = 0, order = 0, held = 0, a[40], sums[4];
    for (int i = 0; i < 40; i++)
        a[i] = i;
#pragma omp target
    total = most = steps = 0;
#pragma omp target parallel for
    for (int i = 0; i < 100; i++)
        add(i);
#pragma omp target teams distribute parallel for num_teams(1)
    for (int i = 0; i < 50; i++)
        add_twice(2 * i);
#pragma omp target parallel for collapse(2)
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++)
            add(i * j);
#pragma omp target update from(total, most, steps)
    printf("%ld %ld %d\n", total, most, steps);
    // The host, too.
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 100; i++)
        add(1);
    printf("%ld %d\n", total, steps);

#pragma omp target map(tofrom : sum, order)
    {
        omp_lock_t lock;
        omp_init_lock(&lock);
#pragma omp parallel for reduction(+ : order)
        for (int i = 0; i < 64; i++)
            order += with_lock(&lock, &sum, 3);
        omp_destroy_lock(&lock);
    }
    printf("%d %d\n", sum, order);
#pragma omp target map(tofrom : sum, held)
    {
        omp_nest_lock_t lock;
        omp_init_nest_lock_with_hint(&lock, omp_sync_hint_contended);
        held = nested(&lock, 5, &sum);
        omp_destroy_nest_lock(&lock);
    }
    printf("%d %d\n", sum, held);

#pragma omp target map(from : sums) map(to : a)
    {
        sums[0] = of_tasks(10, 0);
        sums[1] = of_tasks(3, 5);
        sums[2] = of_for(a, 40);
    }
#pragma omp target teams distribute parallel for map(from : a)
    for (int i = 0; i < 40; i++)
        a[i] = of_tasks(i % 4, i);
    sums[3] = 0;
    for (int i = 0; i < 40; i++)
        sums[3] += a[i] - of_tasks(i % 4, i);
    printf("%d %d %d %d, %d\n", sums[0], sums[1], sums[2], sums[3], of_tasks(10, 0));
    of_teams();
    return 0;
}
