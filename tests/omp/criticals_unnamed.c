// options: -fopenmp
// No clause says anything about what guards critical sections, whatever `default` says about variables; several
// constructs may have sections of one name.
#include <stdio.h>

static int sum, other;

static void add(int n)
{
#pragma omp parallel for default(none) shared(sum, n)
    for (int i = 0; i < n; i++) {
#pragma omp critical
        sum += i;
    }
#pragma omp parallel default(firstprivate) shared(sum, other)
#pragma omp for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        sum += i;
#pragma omp critical(named)
        other ^= i;
    }
#pragma omp parallel default(private) shared(sum, n)
#pragma omp for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        sum += i;
    }
}

int main(void)
{
    add(1000);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 200; i++) {
#pragma omp task default(none) shared(sum, other) firstprivate(i)
        {
#pragma omp critical
            sum++;
#pragma omp critical(named)
            other += i;
        }
#pragma omp task default(firstprivate) shared(sum)
        {
#pragma omp taskgroup
            {
#pragma omp task default(firstprivate) shared(sum)
                {
#pragma omp critical
                    sum += 2;
                }
            }
        }
    }
#pragma omp teams default(none) shared(sum) num_teams(2)
    {
#pragma omp parallel default(none) shared(sum) num_threads(1)
        {
#pragma omp critical
            sum += 0;
        }
    }
    printf("%d %d\n", sum, other);
    return 0;
}
