// options: -fopenmp
// A `taskgroup` waits for tasks of tasks, but not for those created before it.
#include <stdio.h>

static void spread(int depth, int *count)
{
    if (depth > 0)
        for (int i = 0; i < 2; i++) {
#pragma omp task firstprivate(depth, count)
            spread(depth - 1, count);
        }
#pragma omp atomic
    ++*count;
}

int main(void)
{
    int count = 0, wrong = 0, other = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(other)
#pragma omp atomic
        other++;
        for (int i = 1; i <= 5; i++) {
#pragma omp taskgroup
            spread(6, &count);
            wrong += count != 127 * i;
        }
#pragma omp taskgroup
        {
#pragma omp task shared(other)
            {
#pragma omp taskgroup
                {
#pragma omp task shared(other)
#pragma omp atomic
                    other += 10;
                }
#pragma omp taskyield
#pragma omp task shared(other)
#pragma omp atomic
                other += 100;
            }
        }
#pragma omp taskwait
        wrong += other != 111;
    }
    printf("count %d wrong %d\n", count, wrong);
    return 0;
}
