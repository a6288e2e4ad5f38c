// A sum and a product of complex numbers.
#include "show.h"
#include <complex.h>
#define N 100
static double complex z[N];

int main(void)
{
    double complex s = 0, p = 1;
    for (int i = 0; i < N; i++)
        z[i] = (i % 5 - 2) + (i % 3) * I;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel: reduction + s
            s += z[i];
        for (int i = 0; i < N; i++) // expect: parallel: reduction * p
            p *= i % 25 == 0 ? 1 + I : 1;
    }
    printf("%g %g %g %g\n", creal(s), cimag(s), creal(p), cimag(p));
}
