// `i ^ 1` is the other number of a pair: no two iterations have the same, and both of a pair have each other's.
#include "show.h"
#define N 256
static int a[N], b[N], m[N / 2][2];

static void run(int n, int *restrict p, int *restrict q, unsigned u)
{
#pragma acc kernels copy(p[0 : N], q[0 : N])
    {
        for (int i = 0; i < n; i++) // expect: parallel
            p[i ^ 1] = q[i];
    }
#pragma acc kernels copy(p[0 : N], q[0 : N])
    {
        for (unsigned i = 0; i < u; i++) // expect: parallel
            p[1 ^ i] += 3 * q[i];
    }
#pragma acc kernels copy(p[0 : N], q[0 : N])
    {
        for (int i = 0; i < n; i += 2) // expect: parallel
            p[i] += 5 * p[i ^ 1];
    }
#pragma acc kernels copy(p[0 : N], q[0 : N])
    {
        for (int i = 0; i < n; i++) // expect: sequential: unknown-subscript p
            p[i ^ 1] += p[i];
    }
#pragma acc kernels copy(p[0 : N], q[0 : N])
    {
        for (int i = 0; i < n; i++) // expect: sequential: unknown-subscript q
            q[i] += q[i ^ 1];
    }
}

// The halves of a pair of rows.
static void rows(int n, int (*restrict r)[2], const int *restrict q)
{
#pragma acc kernels copy(r[0 : N / 2]) copyin(q[0 : N])
    {
        for (int i = 0; i < n; i++) // expect: parallel
            for (int j = 0; j < 2; j++) // expect: parallel
                r[i ^ 1][j ^ 1] = q[2 * i + j];
    }
}

int main(void)
{
    fill(a, N, 21);
    fill(b, N, 22);
    run(N, a, b, N);
    rows(N / 2, m, b);
    show("a", a, N);
    show("b", b, N);
    show("m", m[0], N);
}
