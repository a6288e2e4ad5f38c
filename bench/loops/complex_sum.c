/* The sum of n complex doubles. */
#include "timing.h"
#include <complex.h>

double complex *a;

void setup(long n)
{
    a = array(n, sizeof *a);
    for (long i = 0; i < n; i++)
        a[i] = i % 100 + (i % 10) * I;
}

double kernel(long n)
{
    double complex sum = 0;
#pragma acc parallel loop reduction(+:sum) copyin(a[0:n])
    for (long i = 0; i < n; i++)
        sum += a[i];
    return creal(sum) + cimag(sum);
}
