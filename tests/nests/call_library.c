// Functions of the library that write through a pointer, and one that ends the program.
#include "show.h"
#include <math.h>
#include <stdlib.h>
#define N 100
static double x[N], whole[N], part[N];
static int a[N];

__attribute__((noinline)) static void check(int value)
{
    if (value < 0)
        abort();
}

int main(void)
{
    for (int i = 0; i < N; i++)
        x[i] = i * 0.75;
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: parallel
        part[i] = modf(x[i], &whole[i]);
    printf("%g %g\n", part[7], whole[7]);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel
        int exponent;
        x[i] = frexp(x[i], &exponent);
        a[i] = exponent;
    }
    printf("%g %d\n", x[7], a[7]);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: sequential: call abort
        check(a[i] + 99);
        a[i]++;
    }
    show("a", a, N);
}
