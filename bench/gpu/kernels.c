/* The same loops as bare `kernels` and as `parallel loop`; prints microseconds per call, the median of RUNS. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RUNS = 31, N = 1 << 24, SIDE = 4096, M = 1024 };

static double x[N], y[N], z[N], grid[SIDE][SIDE], next[SIDE][SIDE], a[M][M], b[M][M], c[M][M], sum;

static void add_kernels(void)
{
#pragma acc kernels
    for (int i = 0; i < N; i++)
        z[i] = x[i] + y[i];
}

static void add_parallel(void)
{
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
        z[i] = x[i] + y[i];
}

static void dot_kernels(void)
{
    double s = 0;
#pragma acc kernels
    for (int i = 0; i < N; i++)
        s += x[i] * y[i];
    sum += s;
}

static void dot_parallel(void)
{
    double s = 0;
#pragma acc parallel loop reduction(+ : s)
    for (int i = 0; i < N; i++)
        s += x[i] * y[i];
    sum += s;
}

static void jacobi_kernels(void)
{
#pragma acc kernels
    {
        for (int i = 1; i < SIDE - 1; i++)
            for (int j = 1; j < SIDE - 1; j++)
                next[i][j] = (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]) * 0.25;
        for (int i = 1; i < SIDE - 1; i++)
            for (int j = 1; j < SIDE - 1; j++)
                grid[i][j] = next[i][j];
    }
}

static void jacobi_parallel(void)
{
#pragma acc parallel loop collapse(2) async
    for (int i = 1; i < SIDE - 1; i++)
        for (int j = 1; j < SIDE - 1; j++)
            next[i][j] = (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]) * 0.25;
#pragma acc parallel loop collapse(2) async
    for (int i = 1; i < SIDE - 1; i++)
        for (int j = 1; j < SIDE - 1; j++)
            grid[i][j] = next[i][j];
#pragma acc wait
}

static void product_kernels(void)
{
#pragma acc kernels
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            double s = 0;
            for (int k = 0; k < M; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

static void product_parallel(void)
{
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            double s = 0;
            for (int k = 0; k < M; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

static int earlier(const void *p, const void *q)
{
    double d = *(const double *)p - *(const double *)q;
    return (d > 0) - (d < 0);
}

static double median(void (*call)(void))
{
    double times[RUNS];
    call();
    for (int run = 0; run < RUNS; run++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        call();
        clock_gettime(CLOCK_MONOTONIC, &to);
        times[run] = (to.tv_sec - from.tv_sec) * 1e6 + (to.tv_nsec - from.tv_nsec) * 1e-3;
    }
    qsort(times, RUNS, sizeof times[0], earlier);
    return times[RUNS / 2];
}

int main(void)
{
    static const struct {
        const char *name;
        void (*kernels)(void), (*parallel)(void);
    } loops[] = {{"add", add_kernels, add_parallel},
                 {"dot", dot_kernels, dot_parallel},
                 {"jacobi", jacobi_kernels, jacobi_parallel},
                 {"product", product_kernels, product_parallel}};
    for (int i = 0; i < N; i++)
        x[i] = i % 7, y[i] = i % 5;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            grid[i][j] = (i + j) % 9;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = i % 3, b[i][j] = j % 4;
#pragma acc data copy(x, y, z, grid, next, a, b, c)
    for (unsigned n = 0; n < sizeof loops / sizeof loops[0]; n++)
        printf("%s %.1f %.1f\n", loops[n].name, median(loops[n].kernels), median(loops[n].parallel));
    return 0;
}
