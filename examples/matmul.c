// Matrix product: gangs take rows, workers columns, and the lanes of a worker share one inner product.
#include <stdio.h>

enum { N = 96 };
static double a[N][N], b[N][N], c[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i + 2 * j) % 7 - 3;
            b[i][j] = (3 * i + j) % 5 - 2;
        }

#pragma acc parallel copyin(a, b) copyout(c)
#pragma acc loop gang
    for (int i = 0; i < N; i++) {
#pragma acc loop worker
        for (int j = 0; j < N; j++) {
            double sum = 0;
#pragma acc loop vector reduction(+:sum)
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    }

    double trace = 0, total = 0;
    for (int i = 0; i < N; i++) {
        trace += c[i][i];
        for (int j = 0; j < N; j++)
            total += c[i][j] * ((i + j) % 3);
    }
    printf("trace %.0f, weighted total %.0f, c[5][7] = %.0f\n", trace, total, c[5][7]);
    return 0;
}
