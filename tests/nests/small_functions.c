// Small functions are seen through: subscripts that they compute, accesses that they make, extrema that they choose.
#include "show.h"
#include <stdlib.h>

static int calls;
static inline int at(int i, int j, int columns) { return i * columns + j; }
static inline int get(const int *a, int i, int j, int columns) { return a[at(i, j, columns)]; }
static inline void put(int *a, int i, int j, int columns, int value) { a[at(i, j, columns)] = value; }
static inline int around(int i, int n)
{
    if (i < 0)
        return i + n;
    if (i >= n)
        return i - n;
    return i;
}
static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b)
{
    if (b < a)
        a = b;
    return a;
}
static int last(int n) { return n > 3 ? n - 1 : n; }
static int inside(int i, int n) { return i > 0 && i < n - 1; }
static void swap(int *p, int *q)
{
    int kept = *p;
    *p = *q;
    *q = kept;
}
static int counted(int x)
{
    calls++;
    return x;
}
static int twice(int n) { return n > 0 ? 2 + twice(n - 1) : 0; }
static void step(int *p) { p[0] += p[-1]; }

static void smooth(int n, int m, const int *restrict a, int *restrict b)
{
#pragma acc kernels
    for (int i = 1; i < n - 1; i++) // expect: parallel: private j
        for (int j = 1; j < m - 1; j++) // expect: parallel
            b[at(i, j, m)] = a[at(i - 1, j, m)] + a[at(i + 1, j, m)] - 3 * get(a, i, j, m);
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel: private j
        for (int j = 0; j < m; j++) // expect: parallel
            put(b, i, j, m, get(a, i, j, m) + larger(b[at(i, j, m)], 5));
}

static void extrema(int n, const int *a, int *result)
{
    int most = a[0], least = a[0];
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: parallel: reduction max most, reduction min least
        most = larger(most, a[i]);
        least = smaller(least, a[i]);
    }
    result[0] = most;
    result[1] = least;
}

static void conditions(int n, int *restrict a, const int *restrict b)
{
#pragma acc kernels
    for (int i = 0; i < last(n); i++) { // expect: parallel
        if (inside(i, n))
            a[i] = b[i + 1] - b[i - 1];
    }
#pragma acc kernels copyin(b[0 : n])
    for (int i = 0; i < n; i++) // expect: parallel
        a[i] += inside(i, n) ? b[larger(i - 1, 0)] : twice(i % 4);
}

static void carried(int n, int *a, int *b)
{
#pragma acc kernels
    {
        for (int i = 1; i < n; i++) // expect: sequential: carried, distance 1
            step(&a[i]);
        for (int i = 1; i < n; i++) // expect: sequential: carried, distance 1
            swap(&a[i - 1], &a[i]);
        for (int i = 0; i < n / 2; i++) // expect: parallel
            swap(&b[i], &b[n - 1 - i]);
        for (int i = 0; i < n; i++) // expect: sequential: call counted
            b[i] = counted(b[i]) + i;
    }
}

static void ring(int n, int *restrict a, const int *restrict b)
{
#pragma acc kernels copyin(b[0 : n])
    for (int i = 0; i < n; i++) // expect: parallel
        a[i] = b[around(i - 1, n)] + 2 * b[around(i + 1, n)];
}

int main(void)
{
    int n = 23, m = 17;
    int *a = malloc(n * m * sizeof *a), *b = malloc(n * m * sizeof *b), result[2];
    fill(a, n * m, 3);
    fill(b, n * m, 4);
    smooth(n, m, a, b);
    show("smooth", b, n * m);
    extrema(n * m, b, result);
    show("extrema", result, 2);
    conditions(n * m, a, b);
    show("conditions", a, n * m);
    carried(n * m, a, b);
    show("carried a", a, n * m);
    show("carried b", b, n * m);
    ring(n * m, a, b);
    show("ring", a, n * m);
    free(a);
    free(b);
}
