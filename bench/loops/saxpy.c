/* y = a * x + y in float. */
#include "timing.h"

float *x, *y;

void setup(long n)
{
    x = array(n, sizeof *x);
    y = array(n, sizeof *y);
    for (long i = 0; i < n; i++) {
        x[i] = i % 10;
        y[i] = 1;
    }
}

double kernel(long n)
{
    float a = 0.5f;
#pragma acc parallel loop copyin(x[0:n]) copy(y[0:n])
    for (long i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
    return n > 3 ? y[3] : 0;
}
