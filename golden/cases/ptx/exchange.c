//! golden ptx: ptx
//! golden explain: explain
//! golden collapse.ir: ir --target ptx --stage collapse --no-positions
/* Accesses along two loops of a merged nest: the threads of a gang exchange values in squares. */

enum { ROWS = 300, COLUMNS = 270 };

void transpose(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(x[0:n * n], y[0:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[j * n + i] = x[i * n + j];
}

/* Loads and stores along the outer loop, of doubles: smaller squares. */
void both(double a[ROWS][COLUMNS], double b[COLUMNS][ROWS])
{
#pragma acc parallel loop collapse(2) present(a[0:ROWS], b[0:COLUMNS])
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            b[j][i] = a[i][j] + 2 * b[j][i];
}

/* A way of its own for some iterations, and an order that may matter: neither is exchanged. */
void neither(int n, const float *x, float *y, float *z)
{
#pragma acc parallel loop collapse(2) present(x[0:n * n], y[0:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (x[i * n + j] > 0)
                y[j * n + i] = x[i * n + j];
#pragma acc parallel loop collapse(2) present(x[0:n * n], y[0:n * n], z[0:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            y[j * n + i] = x[i * n + j];
            z[i * n + j] += 1;
        }
}

/* The loop along which accesses are neighbours is the outer one: lanes execute that. */
void along_outer(int n, int m, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(x[0:n * m], y[0:n * m])
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            y[i * m + j] = 2 * x[i * m + j];
}

/* The same where code takes several ways, for what an inner loop accesses counts more than a result. */
void mask(int n, int m, const float *restrict x, unsigned *restrict y)
{
#pragma acc parallel loop collapse(2) present(x[0:n], y[0:n * m])
    for (int i = 0; i < n; i++)
        for (int w = 0; w < m; w++) {
            unsigned bits = 0;
#pragma acc loop seq
            for (int k = 0; k < 32; k++)
                if (32 * w + k < n && x[i] < x[32 * w + k])
                    bits |= 1u << k;
            y[i * m + w] = bits;
        }
}
