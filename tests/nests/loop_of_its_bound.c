// The loop writes what its bound is computed from.
#include "show.h"
#define N 200
static int a[N];

static void shrink(int *n)
{
#pragma acc kernels
    for (int i = 0; i < n[0]; i++) { // expect: sequential: carried n, distance 1
        a[i] = i * 3;
        if (i % 3 == 0)
            n[0]--;
    }
}

int main(void)
{
    int n = N;
    shrink(&n);
    show("a", a, N);
    printf("%d\n", n);
}
