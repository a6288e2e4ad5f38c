/* The triangle whose square a symmetric matrix of n rows is: inner products of rows, divisions and roots. */
#include "../loops/timing.h"
#include <math.h>

double **rows;

void setup(long n)
{
    rows = array(n, sizeof *rows);
    for (long i = 0; i < n; i++)
        rows[i] = array(n, sizeof **rows);
}

static void factor(double **a, long n)
{
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < i; j++) {
            for (long k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
        for (long k = 0; k < i; k++)
            a[i][i] -= a[i][k] * a[i][k];
        a[i][i] = sqrt(a[i][i]);
    }
}

double kernel(long n)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j <= i; j++)
            rows[i][j] = i == j ? n : 1.0 / (1 + i - j);
    factor(rows, n);
    return rows[n - 1][n - 1];
}
