// Executes the golden case of sums of columns.
#include <stdio.h>

#include "../../golden/cases/ptx/columns.c"

enum { N = 77, M = 210, MANY = 100000 };

static float a[M * N], x[M], y[N], z[N];
static int k[M * N], some[N], least[N], most[N];
static float wide[2 * MANY], many[MANY];

static double weighted(const float *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i] * (double)(i % 1009 + 1);
    return sum;
}

int main(void)
{
    for (int i = 0; i < M * N; i++) {
        a[i] = i * 7 % 263 - 60;
        k[i] = i * 7919 % 100003;
    }
    for (int i = 0; i < M; i++)
        x[i] = i % 5;
    for (int j = 0; j < N; j++) {
        some[j] = j % 4;
        least[j] = most[j] = 50000 - j;
    }
#pragma acc data copyin(a, x, k, some) copy(y, z, least, most)
    {
        sums(N, M, a, x, y);
        ranges(N, M, k, some, least, most);
    }
    double sum = 0;
    for (int j = 0; j < N; j++)
        sum += (j + 1) * (least[j] + 3.0 * most[j]);
    printf("%.0f %.0f\n", weighted(y, N), sum);
#pragma acc data copyin(a) copyout(y, z)
    as_written(N, M, a, y, z);
    printf("%.0f %.0f\n", weighted(y, N), weighted(z, N));
    for (int i = 0; i < 2 * MANY; i++)
        wide[i] = i % 251;
#pragma acc data copyin(wide) copyout(many, z)
    others(N, 2, wide, many, z);
    printf("%.0f %.0f\n", weighted(many, MANY), weighted(z, N));
    return 0;
}
