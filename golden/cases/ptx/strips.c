//! golden explain: explain
/* Several rows for each thread: where iterations are short, and not where each row takes many numbers. */
#include <stdlib.h>

/* Nine loads, of which rows share most. */
void smoothed(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, y)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            float sum = 0;
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++)
                    sum += x[(i + di) * n + j + dj];
            y[i * n + j] = sum / 9;
        }
}

/* Some hundred operations of integers. */
void differences(int n, const unsigned char *restrict p, const unsigned char *restrict q, int *restrict cost)
{
#pragma acc parallel loop collapse(2) present(p, q, cost)
    for (int i = 0; i < n / 4; i++)
        for (int j = 0; j < n / 4; j++) {
            int d[4][4], sum = 0;
            for (int r = 0; r < 4; r++) {
                int at = (4 * i + r) * n + 4 * j;
                int d0 = p[at] - q[at], d1 = p[at + 1] - q[at + 1], d2 = p[at + 2] - q[at + 2], d3 = p[at + 3] - q[at + 3];
                d[r][0] = d0 + d1 + d2 + d3;
                d[r][1] = d0 - d1 + d2 - d3;
                d[r][2] = d0 + d1 - d2 - d3;
                d[r][3] = d0 - d1 - d2 + d3;
            }
            for (int s = 0; s < 4; s++)
                sum += abs(d[0][s] + d[1][s] + d[2][s] + d[3][s]) + abs(d[0][s] - d[1][s] + d[2][s] - d[3][s]);
            cost[i * (n / 4) + j] = sum;
        }
}
