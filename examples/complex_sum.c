// Complex reductions: the roots of unity add up to nothing, and their product is 1 or -1.
#include <complex.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    for (int n = 2; n <= 64; n *= 2) {
        double complex sum = 0, product = 1;
#pragma acc parallel loop reduction(+:sum) reduction(*:product)
        for (int k = 0; k < n; k++) {
            double angle = 6.283185307179586 * k / n;
            double complex root = cos(angle) + sin(angle) * I;
            sum += root;
            product *= root;
        }
        printf("n = %2d: |sum| < 1e-12: %s, product = %.6f\n", n, cabs(sum) < 1e-12 ? "yes" : "no", creal(product));
    }
    return 0;
}
