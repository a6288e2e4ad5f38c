// The distance is as long as the loop where the guard lets it run.
#include "show.h"
#define N 100
static int a[3 * N];

static void shift(int n, int m)
{
#pragma acc kernels
    {
        if (m >= n)
            for (int i = 0; i < n; i++) // expect: versioned: if a m
                a[i] = a[i + m] + 1;
    }
}

int main(void)
{
    fill(a, 3 * N, 16);
    shift(N, N + 7);
    shift(N, 3);
    show("a", a, 3 * N);
}
