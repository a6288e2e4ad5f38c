// Pointers from elsewhere cannot lead to an array whose address nothing has.
#include "show.h"
#define N 50
#define M 6
static int a[N * M], b[N * M];

static void rows(int *restrict p, const int *restrict q, int n)
{
    int t[M];
#pragma acc kernels copyout(p[0:n * M]) copyin(q[0:n * M])
    for (int i = 0; i < n; i++) { // expect: parallel: private t
        for (int j = 0; j < M; j++)
            t[j] = q[i * M + j] + i;
        for (int j = 0; j < M; j++)
            p[i * M + j] = t[M - 1 - j];
    }
}

int main(void)
{
    fill(b, N * M, 79);
    rows(a, b, N);
    show("a", a, N * M);
}
