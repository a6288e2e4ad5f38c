// `restrict` says that nothing else leads to the object.
#include "show.h"
#define N 200
static int a[N], b[N], c[N];

static void copy(int n, int *restrict p, const int *restrict q)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel
        p[i] = q[i] + 1;
}

static void one_of_two(int n, int *restrict p, int *q)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel
        p[i] += q[i] * 2;
}

int main(void)
{
    fill(a, N, 40);
    copy(N, b, a);
    one_of_two(N, c, b);
    show("b", b, N);
    show("c", c, N);
}
