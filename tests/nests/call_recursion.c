// Functions that call themselves: with the same pointer, and with the next element.
#include "show.h"
#define N 100
static int a[N], b[N], c[N + 8];

__attribute__((noinline)) static void power(int *p, int base, int times)
{
    if (times > 0) {
        *p = *p * base % 1000;
        power(p, base, times - 1);
    }
}

__attribute__((noinline)) static void spread(int *p, int value, int times)
{
    if (times > 0) {
        *p = value;
        spread(p + 1, value + 1, times - 1);
    }
}

int main(void)
{
    fill(b, N, 72);
    for (int i = 0; i < N; i++)
        a[i] = 1;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            power(&a[i], b[i] & 7, i & 3);
        for (int i = 0; i < N; i++) // expect: sequential: call spread
            spread(&c[i], b[i], i & 7);
    }
    show("a", a, N);
    show("c", c, N + 8);
}
