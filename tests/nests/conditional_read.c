// A scalar is written under one condition and read always: it may hold the value of an earlier iteration.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    int t = 17;
    fill(b, N, 53);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: sequential: scalar t
        if (b[i] > 0)
            t = b[i];
        a[i] = t;
    }
    show("a", a, N);
}
