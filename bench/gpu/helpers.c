// Loops that do everything in small functions without directives, as C programs do that have grown:
// structures by value, accessors, results through pointers, loops of a few iterations. Names and sizes are
// those of helpers.cu. Prints a checksum for each.
//
//     helpers [ROUNDS]
#include <stdio.h>
#include <stdlib.h>

#include "helpers.h"
#include "checked.h"

static void transformed(const struct number *restrict x, struct number *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < SPECTRUM; i++)
        butterfly(i, SPECTRUM, x, y);
}

static void attracted(const struct body *restrict x, struct body *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < BODIES; i++) {
        struct body force = {0, 0, 0, 0};
        for (int k = 0; k < BODIES; k++)
            force = pulled_by(x[i], x[k], force);
        y[i] = force;
    }
}

static void rotated(const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, y)
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            y[i * SIDE + j] = sampled(x, 0.9f * j + 0.2f * i - 200, -0.2f * j + 0.9f * i + 150);
}

static void diffused(const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(3) present(x, y)
    for (int i = 1; i < CUBE - 1; i++)
        for (int j = 1; j < CUBE - 1; j++)
            for (int k = 1; k < CUBE - 1; k++)
                y[(i * CUBE + j) * CUBE + k] = 0.1f * laplacian(x, i, j, k);
}

static void flowing(const double *restrict x, double *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 1; i < CELLS - 1; i++)
        advanced(i, x, y);
}

static void walks(float *restrict y)
{
#pragma acc parallel loop present(y)
    for (int i = 0; i < WALKS; i++)
        y[i] = walked(i * 2654435761u + 12345);
}

static void prices(const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < OPTIONS; i++)
        priced(10 + 20 * x[i], 5 + 30 * x[OPTIONS + i], 0.5f + x[2 * OPTIONS + i], &y[i], &y[OPTIONS + i]);
}

static void turns(const struct turn *restrict by, const struct vector *restrict x, struct vector *restrict y)
{
#pragma acc parallel loop present(by, x, y)
    for (int i = 0; i < TURNS; i++)
        y[i] = turned(by[i], x[i]);
}

static void products(const struct matrix *restrict x, const struct matrix *restrict y, struct matrix *restrict z)
{
#pragma acc parallel loop present(x, y, z)
    for (int i = 0; i < MATRICES; i++)
        z[i] = times(x[i], y[i]);
}

static void lattice(const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < CELLS; i++)
        relaxed(i, x, y);
}

static void sparse_rows(const int *restrict column, const double *restrict x, const double *restrict y, double *restrict z)
{
#pragma acc parallel loop present(column, x, y, z)
    for (int i = 0; i < ROWS; i++)
        z[i] = of_row(column, x, y, i * IN_ROW, i * IN_ROW + IN_ROW);
}

static void dense_product(const float *restrict x, const float *restrict y, float *restrict z)
{
#pragma acc parallel loop collapse(2) present(x, y, z)
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j < ORDER; j++) {
            float sum = 0;
            for (int k = 0; k < ORDER; k++)
                sum += element(x, i, k) * element(y, k, j);
            z[i * ORDER + j] = sum;
        }
}

static void clusters(const float *restrict x, const float *restrict means, int *restrict y)
{
#pragma acc parallel loop present(x, means, y)
    for (int i = 0; i < POINTS; i++)
        y[i] = nearest(x + i * TRAITS, means);
}

static void spelled(const unsigned char *restrict x, int *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < WORDS; i++)
        y[i] = changes(x + i * LETTERS, x + 64);
}

static void paled(const struct colour *restrict x, struct colour *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < TURNS; i++)
        y[i] = paler(x[i]);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    float *a = malloc(sizeof(float) * N), *c = malloc(sizeof(float) * N);
    double *wide = malloc(sizeof(double) * (N / 2)), *wide_out = (double *)c;
    int *column = malloc(sizeof(int) * N), *ints = (int *)c;
    fill(a, wide, column);
#pragma acc data copyin(a[0:N], wide[0:N / 2], column[0:N]) copyout(c[0:N])
    {
        CHECKED("transformed", float, 8 * SPECTRUM, transformed((struct number *)a, (struct number *)c));
        CHECKED("attracted", float, 4 * BODIES, attracted((struct body *)a, (struct body *)c));
        CHECKED("rotated", float, SIDE *SIDE, rotated(a, c));
        CHECKED("diffused", float, CUBE *CUBE *CUBE, diffused(a, c));
        CHECKED("flowing", double, 5 * CELLS, flowing(wide, wide_out));
        CHECKED("walks", float, WALKS, walks(c));
        CHECKED("prices", float, 2 * OPTIONS, prices(a, c));
        CHECKED("turns", float, 3 * TURNS, turns((struct turn *)a, (struct vector *)a, (struct vector *)c));
        CHECKED("products", float, 16 * MATRICES,
                products((struct matrix *)a, (struct matrix *)(a + 16 * MATRICES), (struct matrix *)c));
        CHECKED("lattice", float, 9 * CELLS, lattice(a, c));
        CHECKED("sparse_rows", double, ROWS, sparse_rows(column, wide, wide + IN_ROW * ROWS, wide_out));
        CHECKED("dense_product", float, ORDER *ORDER, dense_product(a, a + ORDER * ORDER, c));
        CHECKED("clusters", int, POINTS, clusters(a, a + POINTS * TRAITS, ints));
        CHECKED("spelled", int, WORDS, spelled((unsigned char *)column, ints));
        CHECKED("paled", unsigned char, 3 * TURNS, paled((struct colour *)column, (struct colour *)c));
    }
    return 0;
}
