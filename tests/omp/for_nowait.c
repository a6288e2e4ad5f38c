// options: -fopenmp
// Loops without barriers between, with many in flight at once, and loops that threads reach at other times.
#include <stdio.h>

enum { N = 64, LOOPS = 50 };
static int cells[LOOPS][N];

int main(void)
{
#pragma omp parallel
    {
        for (int loop = 0; loop < LOOPS; loop++) {
            if (loop % 2 == 0) {
#pragma omp for schedule(dynamic, 1) nowait
                for (int i = 0; i < N; i++)
                    cells[loop][i] += i + loop;
            } else {
#pragma omp for schedule(guided) nowait
                for (int i = N - 1; i >= 0; i--)
                    cells[loop][i] += i * loop;
            }
        }
    }
    long sum = 0;
    for (int loop = 0; loop < LOOPS; loop++)
        for (int i = 0; i < N; i++)
            sum += (long)(loop + 1) * cells[loop][i];
    printf("%ld\n", sum);

    // The same thread has the same iterations of both.
    int a[N], b[N];
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            b[i] = 2 * a[i];
    }
    sum = 0;
    for (int i = 0; i < N; i++)
        sum += b[i];
    printf("%ld\n", sum);

    int total = 0, twice = 0;
#pragma omp parallel
    {
#pragma omp for reduction(+ : total) nowait
        for (int i = 0; i < N; i++)
            total += i;
#pragma omp barrier
#pragma omp for reduction(+ : twice)
        for (int i = 0; i < N; i++)
            twice += total;
    }
    printf("%d %d\n", total, twice);
    return 0;
}
