// Remainders and quotients of counters in subscripts of memory from the heap: it is mapped by itself.
#include "show.h"
#include <stdlib.h>

// What is past an object's end is not mapped: `b` has `count` elements.
static int *heap(int count)
{
    int *p = malloc(count * sizeof *p);
    for (int i = 0; i < count; i++)
        p[i] = i * 7 % 11 + 1;
    return p;
}

static void sort(int n, int *a)
{
#pragma acc kernels
    for (int t = 0; t < n; t++) // expect: sequential: unknown-subscript
        for (int i = t & 1; i + 1 < n; i += 2) // expect: parallel: private x
            if (a[i] > a[i + 1]) {
                int x = a[i];
                a[i] = a[i + 1];
                a[i + 1] = x;
            }
}

static void torus(int n, int m, const int *restrict g, int *restrict h)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel: private j
        for (int j = 0; j < m; j++) // expect: parallel
            h[i * m + j] = g[(i + n - 1) % n * m + j] + 2 * g[(i + 1) % n * m + j] + g[i * m + (j + m - 1) % m] -
                           g[i * m + (j + 1) % m] + g[i * m + j];
}

static void flip(int rounds, int n, int *u)
{
#pragma acc kernels
    for (int t = 0; t < rounds; t++) // expect: sequential: unknown-subscript
        for (int i = 1; i < n - 1; i++) // expect: versioned: if u
            u[(t + 1) % 2 * n + i] = u[t % 2 * n + i - 1] + u[t % 2 * n + i + 1];
}

static void repeat(int n, int m, int *restrict a, const int *restrict b)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel
        a[i] += b[i % m];
}

static void backwards(int n, int *restrict a, const int *restrict b)
{
#pragma acc kernels
    for (int i = n - 1; i >= 0; i--) // expect: parallel
        a[i] += b[i % 7];
}

static void refine(int n, int m, int *restrict fine, const int *restrict coarse)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel: private j
        for (int j = 0; j < m; j++) // expect: parallel
            fine[i * m + j] += coarse[(i >> 1) * (m / 2 + 1) + j / 2];
}

static void rotate(int n, int *restrict a, const int *restrict b)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel
        a[i] += b[(i + 37) % n] * 3;
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel
        a[i] -= b[(2 * n - 1 - i) % n];
}

static void some_of_a_ring(int n, int m, int *restrict a, const int *restrict b)
{
    // Not every element of `b` is there: what it leads to has to be present.
#pragma acc data copyin(b[0:m])
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel
        a[i] += b[(i + 2) % m];
}

int main(void)
{
    sort(0, 0);
    repeat(0, 0, 0, 0);
    torus(0, 0, 0, 0);
    rotate(0, 0, 0);
    for (int n = 1; n < 12; n++) {
        int *a = heap(n), *b = heap(n);
        sort(n, a);
        show("sort", a, n);
        repeat(n, 5, b, a);
        repeat(n, -3, b, a);
        show("repeat", b, n);
        rotate(n, b, a);
        show("rotate", b, n);
        int *ring = heap(n + 9);
        some_of_a_ring(n, n + 9, b, ring);
        show("some", b, n);
        free(ring);
        backwards(n, b, a);
        show("backwards", b, n);
        free(a);
        free(b);
        a = heap(n * 5);
        b = heap(n * 5);
        torus(n, 5, a, b);
        torus(5, n, b, a);
        show("torus", a, n * 5);
        int *coarse = heap((n - 1) / 2 * 3 + 3);
        refine(n, 5, a, coarse);
        show("refine", a, n * 5);
        int *u = heap(2 * n);
        flip(n % 4, n, u);
        show("flip", u, 2 * n);
        free(a);
        free(b);
        free(coarse);
        free(u);
    }
}
