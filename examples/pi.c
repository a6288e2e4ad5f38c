// Pi as the area under 4 / (1 + x * x) between 0 and 1, by the midpoint rule.
#include <stdio.h>

int main(void)
{
    const int n = 10000000;
    double pi = 0;

    // Each gang, worker and lane adds up its own share of the strips; the reduction clause makes one sum of them.
#pragma acc parallel loop reduction(+:pi)
    for (int i = 0; i < n; i++) {
        double x = (i + 0.5) / n;
        pi += 4 / (1 + x * x);
    }
    printf("pi = %.10f\n", pi / n);
    return 0;
}
