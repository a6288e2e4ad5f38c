// The value of a scalar after the loop is that of the last iteration.
#include "show.h"
#define N 200
static int a[N], b[N];

static int last(int n)
{
    int t = -1, i;
#pragma acc kernels
    for (i = 0; i < n; i++) { // expect: parallel: last t
        t = b[i] * 2;
        a[i] = t + 1;
    }
    printf("%d\n", i);
    return t;
}

int main(void)
{
    fill(b, N, 51);
    printf("%d\n", last(N));
    printf("%d\n", last(0));
    show("a", a, N);
}
