// As `mirrored`, of a length known at run time.
#include "show.h"
#define N 201
static int a[N];

static void mirror(int n)
{
#pragma acc kernels
    {
        for (int i = 0; i < n / 2; i++) // expect: parallel
            a[i] = a[n - 1 - i] * 2;
        for (int i = 0; i < n; i++) // expect: versioned: if a n
            a[i] = a[n - 1 - i] + 1;
    }
}

int main(void)
{
    fill(a, N, 22);
    mirror(N);
    mirror(N - 1);
    show("a", a, N);
}
