//! golden explain: explain
//! golden levels.ir: ir --target ptx --stage assign-levels --no-positions
/* Triangles of iterations that become rectangles, since iterations of a row and of a column load the same, and others: one that shares
   nothing, one whose loops inside are of different lengths. Tests around a body that each iteration decides for itself. */
enum { TRIANGLE_ROWS = 1100, TRIANGLE_SHARED = 3 };

void triangle_below(int n, int m, const int *restrict a, int *restrict c)
{
#pragma acc parallel loop gang copyin(a[0 : n * m]) copy(c[0 : n * n])
    for (int i = 0; i < n; i++)
#pragma acc loop vector
        for (int j = 0; j <= i; j++) {
            int sum = 3 * c[i * n + j];
            for (int k = 0; k < m; k++)
                sum += a[i * m + k] * a[j * m + k];
            c[i * n + j] = sum;
        }
}

/* No iteration has the last row, or the first column. */
void triangle_above(int n, int m, const int *restrict a, int *restrict c)
{
#pragma acc parallel loop copyin(a[0 : m * n]) copy(c[0 : n * n])
    for (int i = 0; i < n; i++) {
#pragma acc loop
        for (int j = i + 1; j < n; j++) {
            int sum = 0;
            for (int k = 0; k < m; k++)
                sum += a[k * n + i] * a[k * n + j];
            c[i * n + j] = sum;
            c[j * n + i] = -c[i * n + j];
        }
    }
}

void triangle_of_products(int n, const int *restrict a, int *restrict c)
{
#pragma acc parallel loop copyin(a[0 : n]) copy(c[0 : n * n])
    for (int i = 0; i < n; i++)
#pragma acc loop
        for (int j = 0; j <= i; j++)
            c[i * n + j] += a[i] * a[j];
}

void triangle_of_sums(int n, int m, const int *restrict a, int *restrict c)
{
#pragma acc parallel loop copyin(a[0 : n * m]) copy(c[0 : n * n])
    for (int i = 0; i < n; i++)
#pragma acc loop
        for (int j = 0; j <= i; j++) {
            int sum = 0;
            for (int k = 0; k < (i + j) % m; k++)
                sum += a[i * m + k] * a[j * m + k];
            c[i * n + j] = sum;
        }
}

void some_of_all(int n, int m, const int *restrict a, int *restrict c)
{
#pragma acc parallel loop collapse(2) copyin(a[0 : m * n]) copy(c[0 : n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if ((i ^ j) & 5)
                continue;
            int sum = c[i * n + j];
            for (int k = 0; k < m; k++)
                sum += a[k * n + i] * a[k * n + j];
            c[i * n + j] = sum;
        }
}
