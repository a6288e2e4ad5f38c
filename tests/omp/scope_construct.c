// options: -fopenmp
// `scope`: private copies and reductions in a team without a loop.
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int sum = 5, most = -1, threads = 0, wrong = 0;
    double cells[2] = { 0, 0 };
#pragma omp parallel num_threads(4) reduction(+ : wrong)
    {
        int own = 1;
#pragma omp scope private(own) reduction(+ : sum, cells) reduction(max : most)
        {
            own = omp_get_thread_num();
            sum += own;
            most = own > most ? own : most;
            cells[own % 2] += own;
        }
        wrong += own != 1 || sum != 11 || most != 3 || cells[0] != 2 || cells[1] != 4;
#pragma omp barrier
#pragma omp scope nowait
        {
#pragma omp atomic
            threads++;
        }
    }
    printf("%d %d %g %g %d %d\n", sum, most, cells[0], cells[1], threads, wrong);
    return 0;
}
