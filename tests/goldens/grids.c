// Executes the golden case of grids whose sizes are arguments, beside the same sums on the host: grids of sizes
// around those of strips, and such without an inner point.
#include <stdio.h>
#include <stdlib.h>

#include "../../golden/cases/ptx/grids.c"

static int check_star(int n)
{
    float *x = malloc(sizeof *x * n * n * n), *y = calloc(n * n * n, sizeof *y);
    int wrong = 0;
    for (int i = 0; i < n * n * n; i++)
        x[i] = i * 7919 % 64;
#pragma acc data copyin(x[0:n * n * n]) copy(y[0:n * n * n])
    star(n, x, y);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                int at = (i * n + j) * n + k, least = i < j ? i : j, most = i > j ? i : j;
                least = k < least ? k : least;
                most = k > most ? k : most;
                float sum = 0;
                if (least >= 3 && most < n - 3) {
                    sum = x[at];
                    for (int r = 1; r <= 3; r++)
                        sum += (x[at + r * n * n] + x[at - r * n * n] + x[at + r * n] + x[at - r * n] + x[at + r] +
                                x[at - r]) / r;
                }
                wrong += y[at] != sum;
            }
    free(x);
    free(y);
    return wrong;
}

static int check_nine(int n, int m)
{
    float *x = malloc(sizeof *x * n * m), *y = calloc(n * m, sizeof *y);
    int wrong = 0;
    for (int i = 0; i < n * m; i++)
        x[i] = i * 104729 % 1024;
#pragma acc data copyin(x[0:n * m]) copy(y[0:n * m])
    nine(n, m, (const float (*)[m])x, (float (*)[m])y);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            int is_inside = i > 0 && j > 0 && i < n - 1 && j < m - 1;
            for (int di = -1; is_inside && di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++)
                    sum += x[(i + di) * m + j + dj];
            wrong += y[i * m + j] != sum / 9;
        }
    free(x);
    free(y);
    return wrong;
}

int main(void)
{
    printf("%d %d %d %d\n", check_star(6), check_star(7), check_star(16), check_star(29));
    printf("%d %d %d %d %d\n", check_nine(2, 9), check_nine(3, 3), check_nine(9, 70), check_nine(64, 33), check_nine(75, 131));
    return 0;
}
