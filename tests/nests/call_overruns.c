// A function with a loop over elements from its parameter on: as many as are between two calls, and one
// more.
#include "show.h"
#define N 100
static int a[3 * N], b[N], c[3 * N + 1];

__attribute__((noinline)) static void three(int *p, int value)
{
    for (int k = 0; k < 3; k++)
        p[k] = value + k;
}

__attribute__((noinline)) static void four(int *p, int value)
{
    for (int k = 0; k < 4; k++)
        p[k] = value * k;
}

__attribute__((noinline)) static void some(int *p, int value, int n)
{
    for (int k = 0; k < n; k++)
        p[k] = value - k;
}

int main(void)
{
    fill(b, N, 73);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            three(&a[3 * i], b[i]);
        for (int i = 0; i < N; i++) // expect: sequential: call four
            four(&c[3 * i], b[i]);
        for (int i = 0; i < N; i++) // expect: sequential: call some
            some(&a[3 * i], b[i], 3);
    }
    show("a", a, 3 * N);
    show("c", c, 3 * N + 1);
}
