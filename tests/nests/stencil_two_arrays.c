// A stencil from one array to another, and back.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    fill(a, N, 2);
    fill(b, N, 3);
#pragma acc kernels
    {
        for (int i = 1; i < N - 1; i++) // expect: parallel
            b[i] = a[i - 1] - 3 * a[i] + a[i + 1];
        for (int i = 1; i < N - 1; i++) // expect: parallel
            a[i] = b[i - 1] + b[i + 1];
    }
    show("a", a, N);
    show("b", b, N);
}
