// All constructs are in one function, and nothing else calls what they call: pointers have their sections all
// the same, and neighbours with equal iterations one launch.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double __attribute__((noinline)) halved(double x)
{
    return x / 2;
}

int main(void)
{
    int n = 50;
    double *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q);
#pragma acc kernels
    for (int i = 0; i < n; i++)
        q[i] = floor(sqrt(i)) + halved(i);
#pragma acc kernels
    for (int i = 0; i < n; i++)
        p[i] = exp(q[i] - q[i]) + hypot(3 * q[i], 4 * q[i]);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += p[i];
    printf("%.6f\n", sum);
    free(p);
    free(q);
}
