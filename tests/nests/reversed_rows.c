// Rows of a variable length that are gone through from their ends: the length itself is a part of the subscript
// within the row, and not one more row.
#include "show.h"
#define N 13
#define M 19

static void mirror(int n, int m, const int *restrict a, int *restrict b)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel
        for (int j = 0; j < m; j++) // expect: parallel
            b[i * m + (m - 1 - j)] = a[i * m + j];
}

static void suffix_sums(int n, int m, int (*a)[m])
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel
        for (int j = m - 2; j >= 0; j--) // expect: sequential: carried a, distance 1
            a[i][j] += a[i][j + 1];
}

static void turn(int n, int m, int *restrict a)
{
#pragma acc kernels copy(a[0:n * m])
    for (int i = 0; i < n / 2; i++) // expect: parallel
        for (int j = 0; j < m; j++) { // expect: versioned: if a
            int t = a[i * m + j];
            a[i * m + j] = a[(n - 1 - i) * m + (m - 1 - j)];
            a[(n - 1 - i) * m + (m - 1 - j)] = t;
        }
}

/* One column too far: the first of the next row. */
static void too_far(int n, int m, int *a)
{
#pragma acc kernels copy(a[0:n * m])
    for (int i = 0; i < n - 1; i++) // expect: sequential: unknown-subscript a
        for (int j = 0; j < m; j++) // expect: versioned: if a a
            a[i * m + (m - j)] += a[i * m + j];
}

int main(void)
{
    static int a[N * M], b[N * M];
    fill(a, N * M, 5);
    mirror(N, M, a, b);
    show("b", b, N * M);
    suffix_sums(N, M, (int(*)[M])a);
    show("a", a, N * M);
    turn(N, M, a);
    show("a", a, N * M);
    too_far(N, M, a);
    show("a", a, N * M);
}
