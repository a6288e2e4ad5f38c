// Functions that compute from their arguments, and from what nobody writes.
#include "show.h"
#include <math.h>
#define N 200
static int a[N], b[N], table[16];
static double d[N];

__attribute__((noinline)) static int square(int x)
{
    return x * x;
}

__attribute__((noinline)) static int look_up(int x)
{
    return table[x & 15] + x;
}

__attribute__((noinline)) static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    fill(b, N, 90);
    fill(table, 16, 91);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            a[i] = square(b[i] % 1000);
        for (int i = 0; i < N; i++) // expect: parallel
            a[i] += look_up(b[i]);
        for (int i = 0; i < N; i++) // expect: parallel
            b[i] = fibonacci(i % 9);
        for (int i = 0; i < N; i++) // expect: parallel
            d[i] = floor(sqrt(i));
    }
    show("a", a, N);
    show("b", b, N);
    printf("%g %g\n", d[10], d[N - 1]);
}
