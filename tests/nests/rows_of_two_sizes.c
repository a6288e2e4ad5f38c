// Rows that one access has are parts of those that another one has: their numbers alone keep nothing apart.
#include "show.h"
#define N 40
#define M 25
static int a[N * M], b[2 * N * M + 3 * M];

/* Bytes of rows of numbers. */
static void bytes(int n, int m, int *p)
{
    unsigned char *q = (unsigned char *)p;
#pragma acc kernels copy(p[0:N * M])
    for (int i = 0; i < n; i++) // expect: versioned: if p
        for (int j = 0; j < m; j++) // expect: versioned: if p
            q[(2 * i + 1) * m + j] = (unsigned char)p[i * m + j];
}

/* Pairs of rows, and single ones. */
static int pairs(int n, int m, int *p)
{
    int sum = 0;
#pragma acc kernels copy(p[0:2 * N * M + 3 * M])
    for (int i = 0; i < n; i++) { // expect: versioned: if p, reduction + sum
        for (int j = 0; j < 2 * m; j++) // expect: parallel
            p[2 * i * m + j] = 100 * i + j;
        sum += p[(2 * i + 3) * m];
    }
    return sum;
}

int main(void)
{
    fill(a, N * M, 3);
    fill(b, 2 * N * M + 3 * M, 4);
    bytes(N, M, a);
    show("a", a, N * M);
    int sum = pairs(N, M, b);
    show("b", b, 2 * N * M + 3 * M);
    show("sum", &sum, 1);
}
