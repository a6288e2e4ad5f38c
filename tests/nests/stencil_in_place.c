// A stencil in place uses what the iteration before has written.
#include "show.h"
#define N 200
static int a[N];

int main(void)
{
    fill(a, N, 1);
#pragma acc kernels
    for (int i = 1; i < N - 1; i++) // expect: sequential: carried a, distance 1
        a[i] = a[i - 1] + 2 * a[i + 1];
    show("a", a, N);
}
