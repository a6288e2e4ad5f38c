/* The product of n doubles close to 1. */
#include "timing.h"

double *a;

void setup(long n)
{
    a = array(n, sizeof *a);
    for (long i = 0; i < n; i++)
        a[i] = i % 2 ? 2 : 0.5;
}

double kernel(long n)
{
    double product = 3;
#pragma acc parallel loop reduction(*:product) copyin(a[0:n])
    for (long i = 0; i < n; i++)
        product *= a[i];
    return product;
}
