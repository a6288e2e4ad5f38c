/* Products and sums of complex numbers by C's own type: the areas of n triangles. */
#include "../loops/timing.h"
#include <complex.h>

double complex *corners;

void setup(long n)
{
    corners = array(n + 2, sizeof *corners);
    for (long i = 0; i < n + 2; i++)
        corners[i] = i % 23 + i % 7 * I;
}

double kernel(long n)
{
    double complex sum = 0, turned = 0;
    for (long i = 0; i < n; i++) {
        double complex side = corners[i + 1] - corners[i], other = corners[i + 2] - corners[i];
        sum += side + other;
        turned += I * cimag(conj(side) * other) / 2;
    }
    return creal(sum) + cimag(turned);
}
