// Bounds that are quotients and remainders of numbers known at run time.
#include "show.h"
#define N 96

static void spread(int *a, int s, int m)
{
#pragma acc kernels
    for (int i = 0; i < N / s; i++) // expect: parallel: reduction + a
        a[i * s] += i;
#pragma acc kernels
    for (int i = 0; i < m % s; i++) // expect: parallel
        a[i] += 2 * i;
}

// A division by 0 that the program does not come to.
static void guarded(int *p, int s)
{
#pragma acc kernels
    if (s != 0)
        for (int i = 0; i < N / s; i++) // expect: parallel
            p[i] = 3 * p[i] + 1;
}

int main(void)
{
    static int a[N];
    fill(a, N, 77);
    spread(a, 5, 14);
    spread(a, -3, 7);
    spread(a, -1, 7);
    guarded(a, 4);
    guarded(a, -1);
    guarded(a, 0);
    show("a", a, N);
}
