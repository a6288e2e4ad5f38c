// A function that writes through its parameter: one element, or its neighbour.
#include "show.h"
#define N 200
static int a[N], b[N], c[N + 1];

__attribute__((noinline)) static void set(int *p, int value)
{
    *p = value * 2;
}

__attribute__((noinline)) static void carry(int *p, int value)
{
    p[1] = p[0] + value;
}

int main(void)
{
    fill(b, N, 93);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            set(&a[i], b[i]);
        for (int i = 0; i < N; i++) // expect: sequential: call carry
            carry(&c[i], b[i]);
    }
    show("a", a, N);
    show("c", c, N + 1);
}
