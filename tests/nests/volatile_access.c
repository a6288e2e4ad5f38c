// Accesses to what is volatile keep their order.
#include "show.h"
#define N 100
static volatile int v[N];
static int a[N];

int main(void)
{
    fill(a, N, 112);
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: sequential: order
        v[i] = a[i] + 1;
    for (int i = 0; i < N; i++)
        a[i] = v[i];
    show("a", a, N);
}
