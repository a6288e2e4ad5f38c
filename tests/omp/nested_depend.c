// options: -fopenmp
// Dependences order siblings only: each task has a table of its own, and children end after their parent may.
#include <stdio.h>

int main(void)
{
    int x = 0, y[4] = { 0 }, wrong = 0;
    long log = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int outer = 0; outer < 4; outer++) {
#pragma omp task shared(y, wrong) firstprivate(outer) depend(out : y[outer])
            {
                int own = 0;
                for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : own) shared(own, wrong) firstprivate(i)
                    {
                        if (own != i) {
#pragma omp atomic
                            wrong++;
                        }
                        own++;
                    }
                }
#pragma omp taskwait
                y[outer] = own + outer;
            }
        }
        for (int i = 0; i < 4; i++) {
#pragma omp task depend(in : y[i]) depend(inout : log) shared(y, log) firstprivate(i)
            log = log * 100 + y[i];
        }
#pragma omp task depend(out : x) shared(x)
        {
#pragma omp taskgroup
            {
#pragma omp task shared(x)
                x = 1;
            }
        }
#pragma omp task depend(inout : x) shared(x)
        x += 10;
    }
    printf("%ld %d wrong %d\n", log, x, wrong);
    return 0;
}
