//! golden ptx: ptx
/* Grids whose sizes are arguments: neighbours are steps from one address. */

/* A star in a cube, three points long in each direction. */
void star(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(3) present(x, y)
    for (int i = 3; i < n - 3; i++)
        for (int j = 3; j < n - 3; j++)
            for (int k = 3; k < n - 3; k++) {
                float sum = x[(i * n + j) * n + k];
                for (int r = 1; r <= 3; r++)
                    sum += (x[((i + r) * n + j) * n + k] + x[((i - r) * n + j) * n + k] + x[(i * n + j + r) * n + k] +
                            x[(i * n + j - r) * n + k] + x[(i * n + j) * n + k + r] + x[(i * n + j) * n + k - r]) / r;
                y[(i * n + j) * n + k] = sum;
            }
}

/* Nine points of rows that the type makes as long as an argument says. */
void nine(int n, int m, const float x[restrict n][m], float y[restrict n][m])
{
#pragma acc parallel loop collapse(2) present(x, y)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            y[i][j] = (x[i - 1][j - 1] + x[i - 1][j] + x[i - 1][j + 1] + x[i][j - 1] + x[i][j] + x[i][j + 1] +
                       x[i + 1][j - 1] + x[i + 1][j] + x[i + 1][j + 1]) / 9;
}
