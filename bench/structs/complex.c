/* A recurrence of n complex numbers, by functions of them. */
#include "../loops/timing.h"
#include <complex.h>

static double complex times(double complex a, double complex b)
{
    return creal(a) * creal(b) - cimag(a) * cimag(b) + I * (creal(a) * cimag(b) + cimag(a) * creal(b));
}

static double norm2(double complex a)
{
    return creal(a * conj(a));
}

double complex *values;

void setup(long n)
{
    values = array(n, sizeof *values);
    for (long i = 0; i < n; i++)
        values[i] = i % 7 * 0.1 + I * (i % 5) * 0.1;
}

double kernel(long n)
{
    double sum = 0;
    double complex z = 1;
    for (long i = 0; i < n; i++) {
        z = times(z, values[i]) + 0.5;
        sum += norm2(z);
    }
    return sum;
}
