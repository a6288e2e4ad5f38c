// Arrays that are private to threads: each has coefficients of its own, which start as those of the host and are changed.
#include <stdio.h>

enum { DEGREE = 5, N = 5000 };

int main(void)
{
    double c[DEGREE + 1] = {1, -2, 0.5, 3, -1, 0.25}, powers[DEGREE + 1];
    double sum = 0, slope = 0;
#pragma acc parallel loop firstprivate(c) private(powers) reduction(+ : sum, slope) num_workers(4) vector_length(128)
    for (int i = 0; i < N; i++) {
        double x = -1 + 2.0 * i / (N - 1), value = 0, derivative = 0;
        powers[0] = 1;
        for (int k = 1; k <= DEGREE; k++)
            powers[k] = powers[k - 1] * x;
        for (int k = 0; k <= DEGREE; k++)
            value += c[k] * powers[k];
        for (int k = 1; k <= DEGREE; k++)
            derivative += k * c[k] * powers[k - 1];
        sum += value;
        slope += derivative;
    }
    printf("%.6f %.6f %.2f\n", sum / N, slope / N, c[0]);
    return 0;
}
