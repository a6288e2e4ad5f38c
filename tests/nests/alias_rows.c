// Parameters of array type are pointers, and may overlap.
#include "show.h"
#define N 24
static int a[2 * N][N], b[N][N];

static void rows(int n, int x[N][N], int y[N][N])
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: versioned: if x y
        for (int j = 0; j < N; j++) // expect: versioned: if x y
            x[i][j] = y[i][N - 1 - j] + 1;
}

int main(void)
{
    fill(a[0], 2 * N * N, 45);
    rows(N, b, a);
    rows(N, a + 1, a);
    show("a", a[0], 2 * N * N);
    show("b", b[0], N * N);
}
