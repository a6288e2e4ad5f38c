// A pointer made from another one leads to the same object, at a known distance.
#include "show.h"
#define N 200
static int a[N + 2];

static void shift(int n, int *p)
{
    int *q = p + 2;
#pragma acc kernels
    {
        for (int i = 0; i < n; i++) // expect: sequential: carried q, distance 2
            q[i] = p[i] + 1;
        for (int i = 0; i < n; i++) // expect: sequential: carried q, distance 2
            p[i] = q[i] + 1;
    }
}

int main(void)
{
    fill(a, N + 2, 41);
    shift(N, a);
    show("a", a, N + 2);
}
