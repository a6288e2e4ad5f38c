// options: -fopenmp
// Teams within teams: levels, ancestors, numbers of threads, a team of one below the last active level.
#include <omp.h>
#include <stdio.h>

static int depth(int levels)
{
    int deepest = 0;
    if (levels == 0)
        return omp_get_level();
#pragma omp parallel num_threads(2) reduction(max : deepest)
    deepest = depth(levels - 1);
    return deepest;
}

int main(void)
{
    omp_set_max_active_levels(3);
    int count = 0, wrong = 0;
#pragma omp parallel num_threads(2) reduction(+ : count, wrong)
    {
        int outer = omp_get_thread_num();
        int inner_sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : count, wrong) shared(inner_sum)
        {
            count++;
            wrong += omp_get_level() != 2 || omp_get_active_level() != 2;
            wrong += omp_get_ancestor_thread_num(1) != outer || omp_get_team_size(1) != 2;
            wrong += omp_get_team_size(2) != 3 || omp_get_ancestor_thread_num(2) != omp_get_thread_num();
#pragma omp for
            for (int i = 0; i < 10; i++)
#pragma omp atomic
                inner_sum += i;
        }
        wrong += inner_sum != 45;
    }
    printf("inner threads %d, wrong %d\n", count, wrong);
    printf("depth of recursion %d\n", depth(4));

    omp_set_max_active_levels(1);
    int size = 0;
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(4)
#pragma omp atomic
    size += omp_get_num_threads();
    printf("one active level: %d\n", size);
    printf("outside: level %d, in parallel %d, team %d\n", omp_get_level(), omp_in_parallel(), omp_get_num_threads());
    return 0;
}
