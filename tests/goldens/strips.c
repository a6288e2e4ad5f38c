// Executes the golden case of several rows for each thread.
#include <stdio.h>

#include "../../golden/cases/ptx/strips.c"

enum { N = 72 };

int main(void)
{
    static float x[N * N], y[N * N];
    static unsigned char p[N * N], q[N * N];
    static int cost[N / 4 * (N / 4)];
    for (int i = 0; i < N * N; i++) {
        x[i] = i * 7 % 31;
        p[i] = i * 7919 >> 3;
        q[i] = i * 104729 >> 5;
    }
#pragma acc data copyin(x, p, q) copyout(cost) copy(y)
    {
        smoothed(N, x, y);
        differences(N, p, q, cost);
    }
    double all = 0;
    for (int i = 0; i < N * N; i++)
        all = all * 0.5 + y[i];
    long sum = 0;
    for (int i = 0; i < N / 4 * (N / 4); i++)
        sum = (sum * 31 + cost[i]) % 1000003;
    printf("%.9g %ld\n", all, sum);
    return 0;
}
