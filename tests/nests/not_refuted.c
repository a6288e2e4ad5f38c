// What a system of inequalities takes for a dependence, and no number of the program makes one: products,
// quotients and limits are numbers of their own there, and a loop may end early.
#include "show.h"
#define N 200
static int a[N], b[N];

static void far(int *u, int n)
{
#pragma acc kernels loop independent copy(u[0 : N])
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            u[j * n + k] = u[j * n + k + n * n * n - 2 * n * n];
#pragma acc kernels copy(u[0 : N])
    for (int j = 0; j < n; j++) // expect: versioned: if u
        for (int k = 0; k < n; k++) // expect: parallel
            u[j * n + k] = u[j * n + k + n * n * n - 2 * n * n];
}

static void never(int *p, int n, int m, unsigned k)
{
#pragma acc kernels loop independent copy(p[0 : N])
    for (int i = 1; i < n; i++)
        if (i + m * m - 2 * m + 1 < 2)
            p[i] = p[i - 1];
#pragma acc kernels loop independent copy(p[0 : N])
    for (int i = 1; i < n; i++)
        if (i < 2 / n)
            p[i] = p[i - 1];
#pragma acc kernels loop independent copy(p[0 : N])
    for (int i = 1; i < n; i++)
        if (i > (k | 7) && i < (k & 3))
            p[i] = p[i - 1];
#pragma acc parallel loop copy(p[0 : N])
    for (int i = 1; i < n; i++) {
        int limit = m > 3 ? m : 3;
        if (i > m && i > 3 && i < limit)
            p[i] = p[i - 1];
    }
#pragma acc kernels copy(p[0 : N])
    for (int i = 1; i < n; i++) // expect: sequential: carried p, distance 1
        if (i + m * m - 2 * m + 1 < 2)
            p[i] = p[i - 1];
}

static void once(int *p, int n)
{
#pragma acc parallel loop copy(p[0 : N])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2 * i - i * i; j++)
            p[i + j] = p[i + j + 1];
#pragma acc parallel loop copy(p[0 : N])
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (j < n)
                break;
            p[i] = p[i - 1];
        }
}

static void put(int *p, int is_wanted)
{
    if (is_wanted)
        p[0] = 1;
}

static void call(int *restrict p, int *restrict q, int n)
{
#pragma acc parallel loop copy(p[0 : N], q[0 : N])
    for (int i = 1; i < n; i++) {
        put(&p[i], 0);
        q[i] = p[i - 1];
    }
}

static void eliminate(int *p, int k)
{
#pragma acc parallel loop collapse(2) copy(p[0 : N])
    for (int i = k + 1; i < 14; i++)
        for (int j = k + 1; j < 14; j++)
            p[i * 14 + j] -= p[i * 14 + k] * p[k * 14 + j] % 5;
#pragma acc parallel loop copy(p[0 : N])
    for (int i = k + 1; i < 14; i++)
        for (int j = k + 1; j < 14; j++)
            p[i * 14 + j] -= p[i * 14 + k] % 7;
}

static void counters(int *p, int *q)
{
    int i, j;
#pragma acc kernels copy(p[0 : N])
    for (i = 0; i < N; i++) // expect: parallel: private j
        for (j = 0; j < 3; j++)
            p[i] += j;
#pragma acc parallel loop copy(q[0 : N])
    for (i = 0; i < N; i++)
        for (j = 0; j < 3; j++)
            q[i] += j;
}

int main(void)
{
    fill(a, N, 115);
    fill(b, N, 116);
    far(a, 4);
    never(a, N, 5, 9);
    once(a, N);
    call(a, b, N);
    eliminate(a, 2);
    counters(a, b);
    show("a", a, N);
    show("b", b, N);
}
