// options: -fopenmp
// Functions that a device calls ask which thread of which team executes them, in loops and outside of them, by way of others, and called by
// themselves; the host calls the same functions.
#include <omp.h>
#include <stdio.h>

enum { N = 500 };

#pragma omp declare target
static int number(void) { return omp_get_thread_num(); }
static int count(void) { return omp_get_num_threads(); }
static int is_right(int inside)
{
    return number() >= 0 && number() < count() && omp_in_parallel() == inside && omp_get_active_level() == inside &&
           omp_get_thread_limit() >= count() && omp_get_max_threads() >= 1 && omp_get_team_num() < omp_get_num_teams();
}
static int deep(int depth) { return depth > 0 ? deep(depth - 1) : number(); }
static int twice(int i)
{
    int all = 0;
    for (int k = 0; k < 2; k++)
        all += number() + i;
    return all;
}
#pragma omp end declare target

int main(void)
{
    int wrong = 0, alone = 0, same = 0, threads = 0, seen[1024] = {0}, number_of[N], deep_of[N], twice_of[N];

#pragma omp target map(from : alone, threads)
    {
        alone = is_right(0) && number() == 0 && count() == 1;
        threads = deep(3);
    }
    printf("alone %d, thread %d\n", alone, threads);

#pragma omp target teams distribute parallel for num_teams(3) reduction(+ : wrong) map(from : number_of, deep_of, twice_of)
    for (int i = 0; i < N; i++) {
        wrong += !is_right(1);
        number_of[i] = omp_get_thread_num();
        deep_of[i] = deep(i % 5);
        twice_of[i] = twice(i);
    }
    for (int i = 0; i < N; i++)
        same += deep_of[i] == number_of[i] && twice_of[i] == 2 * (number_of[i] + i);
    printf("wrong %d, same %d\n", wrong, same);

    /* Each thread counts its iterations in a place of its own. */
#pragma omp target parallel for map(tofrom : seen)
    for (int i = 0; i < N; i++)
        seen[number()]++;
    int all = 0;
    for (int i = 0; i < 1024; i++)
        all += seen[i];
    printf("iterations %d\n", all);

#pragma omp target teams num_teams(2) reduction(+ : wrong)
    {
        wrong += !is_right(0);
#pragma omp distribute
        for (int i = 0; i < 10; i++) {
            wrong += !is_right(0);
#pragma omp parallel for reduction(+ : wrong)
            for (int j = 0; j < 10; j++)
                wrong += !is_right(1);
        }
    }
    printf("wrong %d\n", wrong);

    /* A region of the initial device has a thread of its own, whoever meets it. */
    int other = 0, host = 0;
#pragma omp parallel num_threads(3) reduction(+ : other, host)
    {
#pragma omp target map(tofrom : other)
        other += number() != 0 || count() != 1;
#pragma omp target map(tofrom : other) if (0)
        other += number() != 0 || count() != 1;
        host += number() == omp_get_thread_num() && count() == omp_get_num_threads();
        other += host != 1;
    }
    printf("other %d, the host knows its threads: %d\n", other, host > 0);
    return 0;
}
