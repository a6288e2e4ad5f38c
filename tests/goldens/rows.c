// Executes the golden case of rows of which the launch chooses how many lanes they have: short and long ones, few and
// many, none.
// also: --gangs 3
#include <stdio.h>
#include <stdlib.h>

#include "../../golden/cases/ptx/rows.c"

static int table[7][65536], tops[7];

int main(void)
{
    int sizes[][2] = {{0, 5}, {3, 0}, {1, 1}, {5, 33}, {40, 64}, {300, 129}, {2, 5000}, {17, 1000}, {1, 20000}};
    for (int k = 0; k < 9; k++) {
        int rows = sizes[k][0], n = sizes[k][1], wrong = 0;
        double *x = malloc((rows * n + 1) * sizeof *x), *y = calloc(rows * n + 1, sizeof *y);
        for (int i = 0; i < rows * n; i++)
            x[i] = i * 37 % 11;
#pragma acc data copyin(x[0 : rows * n]) copyout(y[0 : rows * n])
        normalise(rows, n, x, y);
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += x[i * n + j];
            for (int j = 0; j < n; j++)
                wrong += y[i * n + j] != x[i * n + j] - sum / n;
        }
        printf("%d rows of %d: %d wrong\n", rows, n, wrong);
        int first[] = {0, 0, rows * n / 3, rows * n};
        double sums[3];
#pragma acc data copyin(first, x[0 : rows * n]) copyout(sums)
        sparse(3, first, x, sums);
        printf("%g %g %g\n", sums[0], sums[1], sums[2]);
        free(x), free(y);
    }
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 65536; j++)
            table[i][j] = (j * 7919 + i * 31) % 1000003 % 999 + (j == 65535 - i) * (1000 + i);
#pragma acc data copyin(table) copyout(tops)
    largest(table, tops);
    for (int i = 0; i < 7; i++)
        printf("%d%c", tops[i], i < 6 ? ' ' : '\n');
    return 0;
}
