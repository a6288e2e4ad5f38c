// Pointers without clauses and unsigned subscripts: what is mapped is computed before a region.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void field(unsigned nx, unsigned ny, double *out, const double *in)
{
#pragma acc parallel loop gang
    for (unsigned j = 1; j < ny - 1; j++) {
#pragma acc loop vector
        for (unsigned i = 1; i < nx - 1; i++)
            out[i + j * nx] = in[i - 1 + j * nx] +
                              in[i + 1 + j * nx] + in[i + (j - 1) * nx] + in[i + nx + j * nx];
    }
}

static void long_bound(size_t n, float *a, const float *b)
{
#pragma acc parallel loop
    for (unsigned i = 0; i < n; i++)
        a[i] += b[i];
}

static void of_32_bits(uint32_t nx, uint16_t ny, int nz, int *a)
{
#pragma acc parallel loop collapse(3)
    for (int k = 0; k < nz; k++)
        for (uint32_t j = 0; j < ny; j++)
            for (uint32_t i = 0; i < nx; i++)
                a[i + nx * (j + ny * k)] = i + 10 * j + 100 * k;
}

static double column(size_t n, size_t ld, const double *a)
{
    double sum = 0;
#pragma acc parallel loop reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += a[i * ld + 2];
    return sum;
}

static void backwards(unsigned n, unsigned step, int *a, const int *b)
{
#pragma acc parallel loop
    for (unsigned i = 0; i < n; i += 3) {
        a[n - 1 - i] = b[i];
        if (i + step < n)
            a[n - 1 - i] += 1000 * b[i + step];
    }
}

int main(void)
{
    enum { NX = 20, NY = 15, N = NX * NY };
    double *in = malloc(N * sizeof *in), *out = calloc(N, sizeof *out);
    for (int i = 0; i < N; i++)
        in[i] = i % 17 - 3;
    field(NX, NY, out, in);
    field(1, 1, out, in);
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += out[i] * (i + 1);
    printf("field: %.1f\n", sum);
    printf("columns: %.1f %.1f\n", column(NY, NX, in), column(0, NX, in));

    float a[40], b[40];
    for (int i = 0; i < 40; i++)
        a[i] = i, b[i] = 2 * i;
    long_bound(33, a, b);
    long_bound(0, a, b);
    printf("bound: %.0f %.0f\n", (double)a[32], (double)a[33]);

    int *cube = calloc(5 * 6 * 7, sizeof *cube);
    of_32_bits(5, 6, 7, cube);
    printf("cube: %d %d %d\n", cube[0], cube[5 * 6 * 3 + 5 * 2 + 4], cube[5 * 6 * 7 - 1]);

    int from[30], to[30] = {0};
    for (int i = 0; i < 30; i++)
        from[i] = i * i;
    backwards(30, 4, to, from);
    unsigned mixed = 0;
    for (int i = 0; i < 30; i++)
        mixed = mixed * 31 + (unsigned)to[i];
    printf("backwards: %d %d %u\n", to[29], to[2], mixed);
    free(in);
    free(out);
    free(cube);
}
