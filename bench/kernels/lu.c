/* The factors of a matrix of n rows, in place, without exchanging rows. */
#include "../loops/timing.h"

double *matrix, *work;

void setup(long n)
{
    matrix = array(n * n, sizeof *matrix);
    work = array(n * n, sizeof *work);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            matrix[i * n + j] = i == j ? n : 1.0 / (1 + i + 2 * j);
}

static void factor(int n, double a[n][n])
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
}

double kernel(long n)
{
    for (long i = 0; i < n * n; i++)
        work[i] = matrix[i];
    factor(n, (void *)work);
    return work[n * n - 1];
}
