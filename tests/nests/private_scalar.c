// Scalars that each iteration writes before it reads them.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    int t, u;
    fill(b, N, 50);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel: private t, private u
        t = b[i] % 100;
        if (t < 0)
            u = -t;
        else
            u = t * 2;
        a[i] = t * u;
    }
    show("a", a, N);
}
