// Executes the golden case of constant tables.
// also: --gangs 3
#include <stdio.h>

#include "../../golden/cases/ptx/tables.c"

enum { SIDE = 37 };

static float x[SIDE * SIDE], y[SIDE * SIDE];
static double a[SIDE], b[SIDE];

int main(void)
{
    int c[SIDE];
    for (int i = 0; i < SIDE * SIDE; i++)
        x[i] = i * 7 % 31;
    for (int i = 0; i < SIDE; i++)
        a[i] = i * 5 % 13;
    taps(SIDE, x, y);
    neighbours(SIDE, a, b);
    changing[1] = 20;
    written(SIDE, c);
    double d[SIDE], rest = 0;
    around(SIDE, a, d);
    for (int i = 0; i < SIDE; i++)
        rest = rest * 0.5 + d[i];
    double sum = 0, all = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        sum = sum * 0.5 + y[i];
    for (int i = 0; i < SIDE; i++)
        all = all * 0.5 + b[i];
    printf("%.17g %g, %.17g %g, %d, %.17g\n", sum, y[SIDE + 1], all, b[3], c[SIDE - 1], rest);
    return 0;
}
