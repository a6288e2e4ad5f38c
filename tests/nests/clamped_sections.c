// Subscripts that a condition, a minimum or a maximum keeps within memory from the heap: it is mapped by itself.
#include "show.h"
#include <stdlib.h>

// What is past an object's end is not mapped: each object has `count` elements.
static int *heap(int count, int seed)
{
    int *p = malloc(count * sizeof *p);
    for (int i = 0; i < count; i++)
        p[i] = (i * 7 + seed) % 11 + 1;
    return p;
}

static int lesser(int a, int b) { return a < b ? a : b; }

static int greater(int a, int b) { return a > b ? a : b; }

static void neighbours(int n, int *restrict a, const int *restrict b)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel
        a[i] += b[i > 0 ? i - 1 : 0] - 2 * b[i < n - 1 ? i + 1 : n - 1];
}

static void functions(int n, int reach, int *restrict a, const int *restrict b)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel
        a[i] += b[lesser(i + reach, n - 1)] * 3 + b[greater(i - 2, 0)];
}

static void ring(int n, int *restrict a, const int *restrict b)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: parallel: private left, private right
        int left = i == 0 ? n - 1 : i - 1, right = i == n - 1 ? 0 : i + 1;
        a[i] = a[i] * 2 + b[left] - b[right];
    }
}

static void plane(int n, int m, int *restrict a, const int *restrict b)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel: private j, private up, private left
        for (int j = 0; j < m; j++) { // expect: parallel: private up, private left
            int up = i < 1 ? 0 : i > n - 2 ? n - 1 : i - 1, left = j - 2 < 0 ? 0 : j - 2;
            a[i * m + j] += b[up * m + left] * 5;
        }
}

static void inner(int n, int *restrict a, const int *restrict b)
{
#pragma acc kernels
    for (int i = 2; i < n - 2; i++) // expect: parallel
        a[i] += b[i > n / 2 ? i - 1 : i + 1];
}

static void last_of_few(int n, int few, int *restrict a, const int *restrict b)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel
        a[i] += b[i < few ? i : few - 1];
}

static void one_behind_the_other(int n, int by, int *restrict a, const int *restrict b)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: parallel: private k
        int k = i - by;
        if (k < 0)
            k = 0;
        if (k > n - 1)
            k = n - 1;
        a[i] += b[k] * 7;
    }
}

// What is between the elements that are written keeps its values.
static void ends(int n, int *restrict a, const int *restrict b)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: sequential: unknown-subscript
        a[i > n - 2 ? 3 * n - 1 : 0] = b[i];
}

// Which elements the condition leaves out is not known: what `b` leads to is present.
static void by_data(int n, int *restrict a, const int *restrict b)
{
#pragma acc data copyin(b[0:n])
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel
        a[i] += b[a[i] > 5 && i > 0 ? i - 1 : 0];
}

int main(void)
{
    for (int n = 1; n < 9; n++) {
        int *a = heap(n, 3), *b = heap(n, n);
        neighbours(n, a, b);
        functions(n, 1, a, b);
        functions(n, 4, a, b);
        ring(n, a, b);
        last_of_few(n, n, a, b);
        inner(n, a, b);
        one_behind_the_other(n, 3, a, b);
        one_behind_the_other(n, -2, a, b);
        one_behind_the_other(n, -20, a, b);
        by_data(n, a, b);
        show("a", a, n);
        int *few = heap(2, n), *c = heap(3 * n, 5), *d = heap(3 * n, 6);
        last_of_few(n, 2, a, few);
        plane(n, 3, c, d);
        ends(n, c, a);
        plane(3, n, c, d);
        show("a", a, n);
        show("c", c, 3 * n);
        free(a), free(b), free(c), free(d), free(few);
    }
    neighbours(0, 0, 0);
    plane(0, 5, 0, 0);
    ring(-3, 0, 0);
}
