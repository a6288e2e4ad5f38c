// Where a difference of unsigned numbers is below zero it is large: the guard does not hold there.
#include "show.h"
#define N 200
static int a[2 * N];

static void set(unsigned n, unsigned from)
{
#pragma acc kernels
    for (unsigned i = 0; i < n; i++) // expect: sequential: unknown-subscript a
        if (i - from < 50u)
            a[i] = a[i + 50] + 1;
}

int main(void)
{
    fill(a, 2 * N, 67);
    set(N, 20);
    set(N, 190);
    set(10, 4294967290u);
    show("a", a, 2 * N);
}
