// Whether the loop is shorter than the distance is known at run time.
#include "show.h"
#define N 100
static int a[3 * N];

static void shift(int n, int m)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: versioned: if a m
        a[i] = a[i + m] + 1;
}

int main(void)
{
    fill(a, 3 * N, 15);
    shift(N, N);
    show("far", a, 3 * N);
    shift(N, 3);
    show("near", a, 3 * N);
    shift(N, 0);
    show("same", a, 3 * N);
}
