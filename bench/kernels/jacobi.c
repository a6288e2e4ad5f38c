/* Steps of the five-point stencil over a grid of n by n, there and back. */
#include "../loops/timing.h"

double *from, *to;

void setup(long n)
{
    from = array(n * n, sizeof *from);
    to = array(n * n, sizeof *to);
    for (long i = 0; i < n * n; i++)
        from[i] = to[i] = i % 11;
}

static void step(int n, const double *restrict a, double *restrict b)
{
#pragma acc parallel loop copyin(a[0:n * n]) copy(b[0:n * n])
    for (int i = 1; i < n - 1; i++) {
#pragma acc loop vector
        for (int j = 1; j < n - 1; j++)
            b[i * n + j] = 0.2 * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i + 1) * n + j] +
                                  a[(i - 1) * n + j]);
    }
}

double kernel(long n)
{
    step(n, from, to);
    step(n, to, from);
    return from[n * n / 2];
}
