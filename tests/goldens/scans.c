// Executes the golden case of scans.
#include <stdio.h>

#include "../../golden/cases/ptx/scans.c"

enum { N = 5000, ROWS = 25, M = N / ROWS };

static double x[N], p[N];
static int a[N], b[N], c[N];

static double weighted(const int *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i] * (double)(i % 1009 + 1);
    return sum;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = i * 7 % 263 - 60;
        a[i] = i * 7919 % 1003;
        b[i] = i * 104729 % 5003;
    }
#pragma acc data copyin(x, b) copy(a) copyout(p, c)
    {
        sums(N, x, p);
        places(N, a);
        rows(ROWS, M, b, c);
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += p[i] * (i % 101);
    printf("%.0f %.0f %.0f\n", sum, weighted(a, N), weighted(c, N));
    return 0;
}
