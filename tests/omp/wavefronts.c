// options: -fopenmp
// A recurrence in two dimensions: by tasks, by iterations that wait for iterations, by diagonals on a device.
#include <stdio.h>
#include <string.h>

enum { N = 20 };

static int start[N + 1][N + 1], by_tasks[N + 1][N + 1], by_sinks[N + 1][N + 1], by_diagonals[N + 1][N + 1];

#pragma omp declare target
static int next(int north, int west, int corner)
{
    return (north * 3 + west * 5 + corner) % 1009;
}
#pragma omp end declare target

int main(void)
{
    for (int i = 0; i <= N; i++)
        start[i][0] = start[0][i] = i + 1;
    memcpy(by_tasks, start, sizeof start);
    memcpy(by_sinks, start, sizeof start);
    memcpy(by_diagonals, start, sizeof start);

#pragma omp parallel
#pragma omp single
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++) {
            int(*a)[N + 1] = by_tasks;
#pragma omp task depend(in : a[i - 1][j], a[i][j - 1], a[i - 1][j - 1]) depend(out : a[i][j])
            a[i][j] = next(a[i - 1][j], a[i][j - 1], a[i - 1][j - 1]);
        }

#pragma omp parallel for ordered(2)
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++) {
            int(*a)[N + 1] = by_sinks;
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            a[i][j] = next(a[i - 1][j], a[i][j - 1], a[i - 1][j - 1]);
#pragma omp ordered depend(source)
        }

#pragma omp target data map(tofrom : by_diagonals)
    for (int d = 2; d <= 2 * N; d++) {
        int first = d - N < 1 ? 1 : d - N, last = d - 1 > N ? N : d - 1;
#pragma omp target teams distribute parallel for
        for (int i = first; i <= last; i++) {
            int j = d - i;
            by_diagonals[i][j] =
                next(by_diagonals[i - 1][j], by_diagonals[i][j - 1], by_diagonals[i - 1][j - 1]);
        }
    }

    long sum = 0, wrong = 0;
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= N; j++) {
            sum += (long)by_tasks[i][j] * (i + 2 * j);
            wrong += by_sinks[i][j] != by_tasks[i][j];
            wrong += by_diagonals[i][j] != by_tasks[i][j];
        }
    printf("sum %ld, wrong %ld\n", sum, wrong);
    return 0;
}
