// y = a * x + y, the smallest useful loop: no reduction, two arrays, one of them copied back.
#include <stdio.h>
#include <stdlib.h>

static void saxpy(int n, float a, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop copyin(x[0:n]) copy(y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

int main(void)
{
    const int n = 100000;
    float *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    if (!x || !y)
        return 1;
    for (int i = 0; i < n; i++) {
        x[i] = i % 8;
        y[i] = 1;
    }
    saxpy(n, 2.5f, x, y);
    printf("y[0] = %g, y[1] = %g, y[%d] = %g\n", y[0], y[1], n - 1, y[n - 1]);
    free(x);
    free(y);
    return 0;
}
