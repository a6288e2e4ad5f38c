// options: -fopenmp
// The routines about threads, levels and time, called in and outside of teams.
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int wrong = 0, size = 0;
    double start = omp_get_wtime();
    omp_set_num_threads(3);
    wrong += omp_get_max_threads() != 3 || omp_in_parallel() || omp_get_thread_num() != 0;
#pragma omp parallel reduction(+ : wrong)
    {
        wrong += !omp_in_parallel() || omp_get_num_threads() != 3;
#pragma omp single
        size = omp_get_num_threads();
    }
    omp_set_dynamic(0);
    wrong += omp_get_dynamic() != 0;
    omp_set_schedule(omp_sched_guided, 6);
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    wrong += kind != omp_sched_guided || chunk != 6;
    omp_set_max_active_levels(2);
    wrong += omp_get_max_active_levels() != 2;
    wrong += omp_get_num_procs() < 1 || omp_get_thread_limit() < 1;
    wrong += omp_get_wtime() < start || omp_get_wtick() <= 0;
    wrong += omp_get_level() != 0 || omp_get_ancestor_thread_num(0) != 0 || omp_get_ancestor_thread_num(1) != -1;
    wrong += omp_get_team_size(0) != 1 || omp_get_team_size(5) != -1;
    wrong += omp_get_cancellation() != 0 || omp_get_max_task_priority() < 0;
    wrong += !omp_is_initial_device() || omp_get_num_teams() != 1 || omp_get_team_num() != 0;
    printf("wrong %d, team of %d\n", wrong, size);
    return 0;
}
