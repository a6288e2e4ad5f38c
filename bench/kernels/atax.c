/* y = transposed(a) (a x) for n rows, without directives. */
#include "../loops/timing.h"

double *a, *x, *y;

void setup(long n)
{
    a = array(n * n, sizeof *a);
    x = array(n, sizeof *x);
    y = array(n, sizeof *y);
    for (long i = 0; i < n * n; i++)
        a[i] = i % 13 * 0.125;
    for (long i = 0; i < n; i++)
        x[i] = 1 + i % 3;
}

static void atax(int n, const double *a, const double *x, double *y)
{
    for (int j = 0; j < n; j++)
        y[j] = 0;
    for (int i = 0; i < n; i++) {
        double row = 0;
        for (int j = 0; j < n; j++)
            row += a[i * n + j] * x[j];
        for (int j = 0; j < n; j++)
            y[j] += a[i * n + j] * row;
    }
}

double kernel(long n)
{
    atax(n, a, x, y);
    return y[n - 1];
}
