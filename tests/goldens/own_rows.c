// Executes the golden case of rows that each iteration has for itself.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../golden/cases/ptx/own_rows.c"

enum { N = 517, M = 21 };

static float a[N * M], y[N * M];
static double wide[N * M], cubes[N][3][3];
static int k[N * M], at[N], place[N], some[N * M], all[N];

static double weighted(const float *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i] * (i % 101 + 1);
    return sum;
}

int main(void)
{
    double sum = 0, sums = 0;
    for (int i = 0; i < N * M; i++) {
        a[i] = i * 7 % 263 + 1;
        wide[i] = i * 7919 % 1009;
        k[i] = i * 31 % 17 - 8;
    }
    for (int i = 0; i < N; i++)
        at[i] = i * 11 % (N * M - M);
#pragma acc data copyin(a, k, at) copy(y, wide, cubes, place, some, all)
    {
        scaled(N, M, a, y);
        longest(N, M, wide, place, wide);
        outer_products(N, (const double (*)[3])wide, cubes);
        others(N, M, k, at, some, all);
    }
    for (int i = 0; i < N; i++)
        sum += (place[i] + 2 * all[i] + 3 * cubes[i][i % 3][1]) * (i % 11 + 1);
    for (int i = 0; i < N * M; i++)
        sums += (wide[i] + some[i]) * (i % 13 + 1);
    printf("%.3f %.0f %.0f\n", weighted(y, N * M), sum, sums);
    return 0;
}
