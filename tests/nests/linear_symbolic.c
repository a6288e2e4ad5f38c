// Two counters in one subscript, by a length of rows that is known at run time and bounds the inner loop.
#include "show.h"
#define N 30
#define M 25

static void scale(int n, int m, int *restrict p, const int *restrict q)
{
#pragma acc kernels
    {
        for (int i = 0; i < n; i++) // expect: parallel
            for (int j = 0; j < m; j++) // expect: parallel
                p[i * m + j] = 2 * q[j * n + i];
        for (int i = 1; i < n; i++) // expect: sequential: carried p, distance 1
            for (int j = 0; j < m; j++) // expect: parallel
                p[i * m + j] += p[(i - 1) * m + j];
        for (int i = 0; i < n; i++) // expect: parallel
            for (int j = 1; j < m; j++) // expect: sequential: carried p, distance 1
                p[i * m + j] += p[i * m + j - 1];
    }
}

int main(void)
{
    static int a[N * M], b[N * M];
    fill(a, N * M, 35);
    fill(b, N * M, 36);
    scale(N, M, a, b);
    show("a", a, N * M);
}
