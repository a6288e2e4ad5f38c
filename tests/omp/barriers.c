// options: -fopenmp
// Barriers order what threads write before them; also in functions and around tasks.
#include <omp.h>
#include <stdio.h>

enum { ROUNDS = 100 };
static int cells[2][64];

static void meet(void)
{
#pragma omp barrier
}

int main(void)
{
    int wrong = 0, tasks = 0;
#pragma omp parallel reduction(+ : wrong)
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        for (int round = 0; round < ROUNDS; round++) {
            cells[round % 2][me] = round + me;
            if (round % 3 == 0)
                meet();
            else {
#pragma omp barrier
            }
            int next = (me + 1) % all;
            wrong += cells[round % 2][next] != round + next;
        }
#pragma omp task shared(tasks)
        {
#pragma omp task shared(tasks)
#pragma omp atomic
            tasks += 2;
#pragma omp atomic
            tasks++;
        }
#pragma omp barrier
        wrong += tasks != 3 * all;
    }
    printf("wrong %d\n", wrong);
    return 0;
}
