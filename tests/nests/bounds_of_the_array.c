// A subscript lies within its dimension: columns of one row never reach the next, whatever the bounds.
#include "show.h"
#define N 40
static int a[N][N];

static void above(int n, int m, int k)
{
#pragma acc kernels
    for (int i = 1; i < n; i++) // expect: parallel
        for (int j = 0; j < m; j++) // expect: versioned: if j k
            a[i][j] = a[i][j + k] + 1;
}

int main(void)
{
    fill(a[0], N * N, 123);
    above(N, N / 2, N / 2);
    above(N, N - 3, 3);
    show("a", a[0], N * N);
}
