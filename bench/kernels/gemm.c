/* c = 1.5 a b + 0.5 c for matrices of n rows, which the function sees as arrays of variable length. */
#include "../loops/timing.h"

void *a, *b, *c;

void setup(long n)
{
    a = array(n * n, sizeof(double));
    b = array(n * n, sizeof(double));
    c = array(n * n, sizeof(double));
    for (long i = 0; i < n * n; i++) {
        ((double *)a)[i] = i % 7 * 0.5;
        ((double *)b)[i] = i % 5 * 0.25;
        ((double *)c)[i] = 1;
    }
}

static void gemm(int n, double alpha, double beta, double (*a)[n], double (*b)[n], double (*restrict c)[n])
{
#pragma acc parallel loop copyin(a[0:n], b[0:n]) copy(c[0:n])
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            c[i][j] *= beta;
        for (int k = 0; k < n; k++) {
#pragma acc loop vector
            for (int j = 0; j < n; j++)
                c[i][j] += alpha * a[i][k] * b[k][j];
        }
    }
}

double kernel(long n)
{
    gemm(n, 1.5, 0.5, a, b, c);
    return ((double *)c)[n * n - 1];
}
