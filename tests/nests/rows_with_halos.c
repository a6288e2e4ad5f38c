// The length of a row is a sum: arrays with a border, as stencils have them.
#include "show.h"
#define N 12
#define M 9
static int a[(N + 2) * (M + 2) * 6], b[(N + 2) * (M + 2) * 6];

static void plane(int n, int m, int *p)
{
#pragma acc kernels copy(p[0:(N + 2) * (M + 2)])
    for (int i = 1; i <= n; i++) // expect: parallel
        for (int j = 1; j <= m; j++) // expect: parallel
            p[i * (m + 2) + j] = p[i * (m + 2) + j] * 2 + i;
}

static void box(int n, int m, int l, int *restrict p, const int *restrict q)
{
#pragma acc kernels copy(p[0:6 * (N + 2) * (M + 2)]) copyin(q[0:6 * (N + 2) * (M + 2)])
    for (int k = 1; k <= l; k++) // expect: parallel
        for (int i = 1; i <= n; i++) // expect: parallel
            for (int j = 1; j <= m; j++) // expect: parallel
                p[k * (n + 2) * (m + 2) + i * (m + 2) + j] =
                    q[k * (n + 2) * (m + 2) + (i - 1) * (m + 2) + j] + q[((k - 1) * (n + 2) + i) * (m + 2) + j + 1];
}

/* A row has one element less than is written. */
static void short_rows(int n, int m, int *p)
{
#pragma acc kernels copy(p[0:(N + 2) * (M + 2)])
    for (int i = 0; i < n; i++) // expect: versioned: if p
        for (int j = 0; j <= m + 2; j++) // expect: parallel
            p[i * (m + 2) + j] = 100 * i + j;
}

int main(void)
{
    fill(a, (N + 2) * (M + 2) * 6, 5);
    fill(b, (N + 2) * (M + 2) * 6, 6);
    plane(N, M, a);
    box(N, M, 4, a, b);
    show("a", a, (N + 2) * (M + 2) * 6);
    short_rows(N, M, b);
    show("b", b, (N + 2) * (M + 2) * 6);
}
