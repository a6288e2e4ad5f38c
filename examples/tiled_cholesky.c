// Cholesky's factorisation of a matrix in tiles. Each step names the tiles that it reads and writes, and the
// runtime finds out which steps can run at the same time. Needs `-fopenmp`; plain C computes the same.
// options: -fopenmp
#include <math.h>
#include <stdio.h>

enum { TILES = 4, SIZE = 8, N = TILES * SIZE };
typedef double tile[SIZE][SIZE];
static tile a[TILES][TILES];

static void factor(tile d)
{
    for (int k = 0; k < SIZE; k++) {
        d[k][k] = sqrt(d[k][k]);
        for (int i = k + 1; i < SIZE; i++)
            d[i][k] /= d[k][k];
        for (int j = k + 1; j < SIZE; j++)
            for (int i = j; i < SIZE; i++)
                d[i][j] -= d[i][k] * d[j][k];
    }
}

static void solve(tile d, tile x)
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            for (int k = 0; k < j; k++)
                x[i][j] -= x[i][k] * d[j][k];
            x[i][j] /= d[j][j];
        }
}

static void update(tile x, tile y, tile c)
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            for (int k = 0; k < SIZE; k++)
                c[i][j] -= x[i][k] * y[j][k];
}

static double *element(int i, int j)
{
    return &a[i / SIZE][j / SIZE][i % SIZE][j % SIZE];
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            *element(i, j) = (i == j ? N : 0) + 1.0 / (1 + i + j);
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < TILES; k++) {
#pragma omp task depend(inout : a[k][k])
        factor(a[k][k]);
        for (int i = k + 1; i < TILES; i++) {
#pragma omp task depend(in : a[k][k]) depend(inout : a[i][k])
            solve(a[k][k], a[i][k]);
        }
        for (int i = k + 1; i < TILES; i++)
            for (int j = k + 1; j <= i; j++) {
#pragma omp task depend(in : a[i][k], a[j][k]) depend(inout : a[i][j])
                update(a[i][k], a[j][k], a[i][j]);
            }
    }
    // The product of the factor with itself is the matrix.
    double worst = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k <= j; k++)
                sum += *element(i, k) * *element(j, k);
            worst = fmax(worst, fabs(sum - ((i == j ? N : 0) + 1.0 / (1 + i + j))));
        }
    printf("%s\n", worst < 1e-12 ? "exact to rounding" : "wrong");
    return 0;
}
