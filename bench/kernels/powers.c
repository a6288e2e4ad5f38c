/* Functions of the mathematical library over arrays of n floats. */
#include "../loops/timing.h"
#include <math.h>

float *x, *y;

void setup(long n)
{
    x = array(n, sizeof *x);
    y = array(n, sizeof *y);
    for (long i = 0; i < n; i++)
        x[i] = 0.25f + i % 100 * 0.03f;
}

double kernel(long n)
{
    float *restrict to = y;
    const float *from = x;
    for (long i = 0; i < n; i++)
        to[i] = expf(-from[i]) + logf(from[i]) + powf(from[i], 1.7f);
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += to[i];
    return sum;
}
