/* The inner product of two vectors of n floats, in float. */
#include "timing.h"

float *a, *b;

void setup(long n)
{
    a = array(n, sizeof *a);
    b = array(n, sizeof *b);
    for (long i = 0; i < n; i++) {
        a[i] = (i % 7 - 3) * 0.5f;
        b[i] = i % 5 - 2;
    }
}

double kernel(long n)
{
    float sum = 0;
#pragma acc parallel loop reduction(+:sum) copyin(a[0:n], b[0:n])
    for (long i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
