// Two pointers may lead to the same object: decided where it is known, at run time.
#include "show.h"
#define N 200
static int a[2 * N], b[N];

static void copy(int n, int *p, int *q)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: versioned: if p q
        p[i] = q[i] + 1;
}

int main(void)
{
    fill(a, 2 * N, 39);
    copy(N, b, a);
    show("apart", b, N);
    copy(N, a + 1, a);
    show("shifted", a, 2 * N);
    copy(N, a, a + N);
    show("halves", a, 2 * N);
}
