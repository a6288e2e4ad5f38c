//! golden ptx: ptx
//! golden explain: explain
//! golden collapse.ir: ir --target ptx --stage collapse --no-positions
/* Rows that each iteration has for itself: the threads of a gang load and store them for each other. */

void scaled(int n, int m, const float *restrict a, float *restrict y)
{
#pragma acc parallel loop present(a, y)
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < m; j++)
            sum += a[i * m + j];
        for (int j = 0; j < m; j++)
            y[i * m + j] = a[i * m + j] / sum;
    }
}

/* Two pointers that may be equal, of which one is written: a test in front of the loop. In place. */
void longest(int n, int m, const double *a, int *place, double *b)
{
#pragma acc parallel loop present(a, place)
    for (int i = 0; i < n; i++) {
        int at = 0;
        for (int j = 1; j < m; j++)
            if (a[i * m + j] > a[i * m + at])
                at = j;
        place[i] = at;
    }
#pragma acc parallel loop present(b)
    for (int i = 0; i < n; i++)
        for (int j = m - 2; j >= 0; j--)
            b[i * m + j] += b[i * m + j + 1];
}

/* Stores without a loop. */
void outer_products(int n, const double (*restrict x)[3], double (*restrict y)[3][3])
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                y[i][j][k] = x[i][j] * x[i][k];
}

/* Some elements, elements that memory says, a row that all have, and lanes along the row: nothing is staged. */
void others(int n, int m, const int *restrict a, const int *restrict at, int *restrict y, int *restrict z)
{
#pragma acc parallel loop present(a, y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[j] > 0)
                y[i * m + j] = 1;
#pragma acc parallel loop present(a, at, z)
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int j = 0; j < m; j++)
            sum += a[at[i] + j];
        z[i] = sum;
    }
#pragma acc parallel loop gang present(a, z)
    for (int i = 0; i < n; i++) {
        int sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < m; j++)
            sum += a[i * m + j];
        z[i] = sum;
    }
}
