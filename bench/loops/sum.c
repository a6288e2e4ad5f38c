/* The sum of n doubles. */
#include "timing.h"

double *a;

void setup(long n)
{
    a = array(n, sizeof *a);
    for (long i = 0; i < n; i++)
        a[i] = (i % 1000) * 0.25;
}

double kernel(long n)
{
    double sum = 0;
#pragma acc parallel loop reduction(+:sum) copyin(a[0:n])
    for (long i = 0; i < n; i++)
        sum += a[i];
    return sum;
}
