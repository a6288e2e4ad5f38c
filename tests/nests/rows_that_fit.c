// Whether an access stays in its row is known when the nest is reached: the length of rows is a number of its own, or
// the first column is.
#include "show.h"
#define N 24
#define M 30
static int a[N * M + 8 * N], b[N * M + 8 * N], c[N * M + 8 * N];

static void leading(int n, int m, int l, const int *restrict p, int ldp, const int *restrict q, int ldq, int *restrict r, int ldr)
{
#pragma acc kernels copyin(p[0:N * M], q[0:N * M]) copy(r[0:N * M])
    for (int i = 0; i < n; i++) // expect: versioned: if r
        for (int j = 0; j < m; j++) { // expect: parallel
            int sum = 0;
            for (int k = 0; k < l; k++) // expect: parallel: reduction + sum
                sum += p[i * ldp + k] * q[k * ldq + j];
            r[i * ldr + j] = sum + 3 * r[i * ldr + j];
        }
}

/* A step of an elimination, which the host counts. */
static void eliminate(int n, int k, int *p)
{
#pragma acc kernels copy(p[0:N * N])
    for (int i = k + 1; i < n; i++) { // expect: versioned: if p, reduction + p
        int factor = p[i * n + k] % 7;
        for (int j = k; j < n; j++) // expect: versioned: if p
            p[i * n + j] -= factor * p[k * n + j];
    }
}

/* Columns below the diagonal, from those before. */
static void below(int n, int i, int *p)
{
#pragma acc kernels copy(p[0:N * N])
    for (int j = i + 1; j < n; j++) { // expect: versioned: if p
        int sum = p[j * n + i];
        for (int k = 0; k < i; k++) // expect: parallel: reduction + sum
            sum -= p[j * n + k] * p[k * n + i];
        p[j * n + i] = sum % 1000;
    }
}

static void strided(int n, const int *restrict p, int from, int *restrict q, int to)
{
#pragma acc kernels copyin(p[0:N * M]) copy(q[0:N * M])
    for (int i = 0; i < n; i++) // expect: versioned: if q
        q[i * to] = p[i * from] + i;
}

int main(void)
{
    fill(a, N * M, 1);
    fill(b, N * M, 2);
    fill(c, N * M, 3);
    leading(N, 17, 19, a, M, b, M, c, M);
    show("rows that fit", c, N * M);
    leading(N, 17, 19, a, M, b, M, c, 5);
    show("rows that overlap", c, N * M);
    for (int k = 0; k < N - 1; k++)
        eliminate(N, k, a);
    show("eliminated", a, N * M);
    fill(a, N * M, 4);
    for (int i = 0; i < N; i++)
        below(N, i, a);
    show("below", a, N * M);
    strided(N, a, 2, c, 3);
    show("in steps", c, N * M);
    strided(N, a, 1, c, 0);
    show("in one place", c, N * M);
}
