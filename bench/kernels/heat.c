/* Steps of heat in a cube of n by n by n, there and back. */
#include "../loops/timing.h"

void *from, *to;

void setup(long n)
{
    from = array(n * n * n, sizeof(double));
    to = array(n * n * n, sizeof(double));
    for (long i = 0; i < n * n * n; i++)
        ((double *)from)[i] = ((double *)to)[i] = i % 19;
}

static void step(int n, double a[n][n][n], double b[restrict n][n][n])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                b[i][j][k] = 0.125 * (a[i + 1][j][k] - 2.0 * a[i][j][k] + a[i - 1][j][k]) +
                             0.125 * (a[i][j + 1][k] - 2.0 * a[i][j][k] + a[i][j - 1][k]) +
                             0.125 * (a[i][j][k + 1] - 2.0 * a[i][j][k] + a[i][j][k - 1]) + a[i][j][k];
}

double kernel(long n)
{
    step(n, from, to);
    step(n, to, from);
    return ((double *)from)[n * n * n / 2 + n / 2];
}
