// Counters of several types, and a comparison by `!=`.
#include "show.h"
#define N 30
#define M 20
static int a[N][M], b[N * M];

static void mixed(long n, int m)
{
#pragma acc kernels
    {
        for (long i = 0; i < n; i++) // expect: parallel
            for (int j = 0; j != M; j++) // expect: parallel
                a[i][j] = b[i * M + j] + (int)i;
        for (short i = 0; i < N; i++) // expect: parallel
            for (unsigned long j = 0; j < M; ++j) // expect: parallel
                b[i * M + j] = a[i][j] * 2;
        for (int i = 0; i != m; i++) // expect: parallel
            b[i] = b[i] + 1;
    }
}

int main(void)
{
    fill(b, N * M, 65);
    mixed(N, M);
    show("a", a[0], N * M);
    show("b", b, N * M);
}
