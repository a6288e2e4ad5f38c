// Arrays of variable length in `private` and `firstprivate`: of gangs, of workers, of lanes, and reduced.
#include <stdio.h>

static int of_gangs(int n)
{
    int scratch[n], sums[24], wrong = 0;
#pragma acc parallel loop gang private(scratch) copyout(sums)
    for (int i = 0; i < 24; i++) {
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            scratch[j] = i * j;
        int sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < n; j++)
            sum += scratch[n - 1 - j];
        sums[i] = sum;
    }
    for (int i = 0; i < 24; i++)
        wrong += sums[i] != i * n * (n - 1) / 2;
    return wrong;
}

static int of_lanes(int n, int m)
{
    double plane[n][m], sums[40];
    int wrong = 0;
#pragma acc parallel num_gangs(2) copyout(sums)
#pragma acc loop gang worker vector private(plane)
    for (int i = 0; i < 40; i++) {
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++)
                plane[j][k] = i + j * k;
        sums[i] = 0;
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++)
                sums[i] += plane[j][k];
    }
    for (int i = 0; i < 40; i++)
        wrong += sums[i] != i * n * m + n * (n - 1) / 2 * (m * (m - 1) / 2);
    return wrong;
}

static int copied(int n)
{
    int start[n], sums[16], wrong = 0;
    for (int j = 0; j < n; j++)
        start[j] = j;
#pragma acc parallel num_gangs(4) firstprivate(start) copyout(sums)
    {
#pragma acc loop gang
        for (int i = 0; i < 16; i++) {
            int sum = 0;
#pragma acc loop worker reduction(+:sum)
            for (int j = 0; j < n; j++)
                sum += start[j] + i;
            sums[i] = sum;
        }
    }
    for (int i = 0; i < 16; i++)
        wrong += sums[i] != n * (n - 1) / 2 + i * n;
    for (int j = 0; j < n; j++)
        wrong += start[j] != j;
    return wrong;
}

static int reduced(int n)
{
    int counts[n], sums[8], wrong = 0;
#pragma acc parallel loop gang private(counts) copyout(sums)
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < n; j++)
            counts[j] = 0;
#pragma acc loop worker reduction(+:counts[0:n])
        for (int j = 0; j < 100; j++)
            counts[j % n] += i;
        sums[i] = 0;
        for (int j = 0; j < n; j++)
            sums[i] += counts[j];
    }
    for (int i = 0; i < 8; i++)
        wrong += sums[i] != 100 * i;
    return wrong;
}

int main(void)
{
    printf("%d %d %d %d\n", of_gangs(37), of_lanes(3, 5), copied(50), reduced(7));
    return 0;
}
