// options: -fopenmp
// `taskwait` waits for children, not for their children; with `depend` for some of them only.
#include <stdio.h>

int main(void)
{
    int a = 0, b = 0, c = 0, wrong = 0;
    long steps = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int round = 1; round <= 50; round++) {
#pragma omp task depend(out : a) shared(a) firstprivate(round)
            a = round;
#pragma omp task depend(in : a) depend(out : b) shared(a, b)
            b = a * 2;
#pragma omp task depend(inout : c) shared(c)
            c++;
#pragma omp taskwait depend(in : b)
            wrong += b != 2 * round || a != round;
#pragma omp taskwait depend(inout : c)
            wrong += c != round;
        }
#pragma omp taskwait
        // What has been waited for with `nowait` orders the tasks behind.
#pragma omp task depend(out : a) shared(a)
        a = 100;
#pragma omp taskwait depend(inout : a) nowait
#pragma omp task depend(in : a) shared(a, steps)
        steps = a;
#pragma omp taskwait
        wrong += steps != 100;
        int done = 0;
#pragma omp task shared(done, steps)
        {
#pragma omp task shared(done, steps)
            {
#pragma omp atomic
                steps += 1000;
            }
            done = 1;
        }
#pragma omp taskwait
        wrong += done != 1;
    }
    printf("wrong %d, steps %ld\n", wrong, steps);
    return 0;
}
