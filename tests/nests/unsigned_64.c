// Unsigned subscripts of 64 bits: one that wraps around leads out of any object, unless it leads back.
#include "show.h"
#include <stdint.h>
#define N 256
#define FAR ((uint64_t)1 << 57)
#define NEXT(x, y) ((x) * 5 % 10007 + (y))
static int a[N], b[N];

static void lengths_of_loops(uint64_t nx, uint64_t ny, int *restrict p, const int *restrict q)
{
#pragma acc kernels copy(p[0:N]) copyin(q[0:N])
    {
        // That many iterations nobody waits for.
        for (uint64_t j = 0; j < ny; j++) // expect: parallel: private i
            for (uint64_t i = 0; i < nx; i++) // expect: parallel
                p[j * nx + i] = NEXT(p[j * nx + i], q[i]);
        for (uint64_t j = 1; j < ny - 1; j++) // expect: parallel: private i
            for (uint64_t i = 1; i < nx - 1; i++) // expect: parallel
                p[j * nx + i] = NEXT(q[(j - 1) * nx + i], q[j * nx + i + 1]);
    }
}

static void any_length(uint64_t n, uint64_t ld, int *restrict p, const int *restrict q)
{
#pragma acc kernels copy(p[0:N]) copyin(q[0:N])
    {
        for (uint64_t j = 0; j < n; j += 32) // expect: versioned: private i
            for (uint64_t i = 0; i < 7; i++) // expect: versioned
                p[j * ld + i] = NEXT(p[j * ld + i], q[j]);
        for (uint64_t j = 0; j < n; j++) // expect: versioned: private i
            for (uint64_t i = 0; i < 7; i++) // expect: versioned
                if (j % 32 == 0)
                    p[j * ld + i] = NEXT(p[j * ld + i], q[j]);
    }
}

static void products(uint64_t n, uint64_t nx, uint64_t ny, int *restrict p, const int *restrict q)
{
#pragma acc kernels copy(p[0:N]) copyin(q[0:N])
    for (uint64_t j = 0; j < n; j++) // expect: versioned: private i
        for (uint64_t i = 0; i < 7; i++) // expect: versioned
            p[j * nx * ny + i] = NEXT(p[j * nx * ny + i], q[j]);
}

static void constants(uint64_t n, char *restrict p, const int *restrict q)
{
#pragma acc kernels copy(p[0:4 * N]) copyin(q[0:N])
    {
        for (uint64_t j = 0; j < n; j += 32) // expect: sequential: unknown-subscript p
            if (j % 128 == 0)
                p[j << 57] = (char)NEXT(p[j << 57], q[j]);
        for (uint64_t j = 0; j < n; j += 32) // expect: versioned
            if (j % 128 == 0)
                p[j * FAR] = (char)NEXT(p[j * FAR], q[j]);
    }
}

int main(void)
{
    fill(a, N, 61);
    fill(b, N, 62);
    lengths_of_loops(12, 20, a, b);
    show("a", a, N);
    any_length(97, 2, a, b);
    show("a", a, N);
    any_length(97, (uint64_t)1 << 59, a, b);
    show("a", a, N);
    products(5, 10, 4, a, b);
    products(5, (uint64_t)1 << 32, (uint64_t)1 << 32, a, b);
    show("a", a, N);
    constants(250, (char *)a, b);
    show("a", a, N);
}
