// options: -fopenmp
#include "../../golden/cases/tasks/functions.c"
#include <stdio.h>

int main(void)
{
    enum { ROWS = 5, N = 150 };
    static float a[ROWS * N];
    for (int i = 0; i < ROWS * N; i++)
        a[i] = i;
    functions(a, ROWS, N);
    float sum = 0;
    for (int i = 0; i < ROWS * N; i++)
        sum += a[i] * (i % 3 + 1);
    printf("%g %g %g\n", a[0], a[ROWS * N - 1], sum);
}
