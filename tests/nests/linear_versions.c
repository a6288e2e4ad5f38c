// Rows overlap unless the inner loop is no longer than a row: a comparison at run time.
#include "show.h"
#define N 20
#define M 25
static int a[2 * N * M];

static void set(int n, int m, int k)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: versioned: if a
        for (int j = 0; j < k; j++) // expect: parallel
            a[i * m + j] = 100 * i + j;
}

int main(void)
{
    set(N, M, M - 3);
    show("apart", a, 2 * N * M);
    set(N, M, M + 4);
    show("overlapping", a, 2 * N * M);
}
