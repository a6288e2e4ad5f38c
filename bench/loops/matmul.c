/* The product of two square matrices of about n elements each, inner products over contiguous rows and strided columns. */
#include "timing.h"

double *a, *b, *c;
long m;

void setup(long n)
{
    for (m = 1; (m + 1) * (m + 1) <= n; m++)
        ;
    a = array(m * m, sizeof *a);
    b = array(m * m, sizeof *b);
    c = array(m * m, sizeof *c);
    for (long i = 0; i < m * m; i++) {
        a[i] = i % 7 - 3;
        b[i] = i % 5 - 2;
    }
}

double kernel(long n)
{
    (void)n;
#pragma acc parallel loop gang copyin(a[0:m * m], b[0:m * m]) copyout(c[0:m * m])
    for (long i = 0; i < m; i++) {
#pragma acc loop worker
        for (long j = 0; j < m; j++) {
            double sum = 0;
#pragma acc loop vector reduction(+:sum)
            for (long k = 0; k < m; k++)
                sum += a[i * m + k] * b[k * m + j];
            c[i * m + j] = sum;
        }
    }
    return c[m * m - 1];
}
