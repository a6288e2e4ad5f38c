// Of three pointers one is written: two comparisons.
#include "show.h"
#define N 200
static int a[3 * N];

static void add(int n, int *p, int *q, int *r)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: versioned: if p q r
        p[i] = q[i] - r[n - 1 - i];
}

int main(void)
{
    fill(a, 3 * N, 42);
    add(N, a, a + N, a + 2 * N);
    show("apart", a, 3 * N);
    add(N, a + 5, a, a + 2 * N);
    show("one overlaps", a, 3 * N);
    add(N, a, a, a + 2 * N);
    show("in place", a, 3 * N);
}
