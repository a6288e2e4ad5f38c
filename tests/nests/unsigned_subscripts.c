// Subscripts in unsigned arithmetic: whether it wraps around is tested where nothing proves it. Here it does.
#include "show.h"
#include <stddef.h>
#include <stdint.h>
#define N 256
#define NEXT(x, y) ((x) * 5 % 10007 + (y))
static int a[N], b[N];

static void rows(unsigned nx, unsigned ny, unsigned ld, int *p, const int *restrict q)
{
#pragma acc kernels copy(p[0:N]) copyin(q[0:N])
    {
        for (unsigned j = 0; j < ny; j++) // expect: versioned
            for (unsigned i = 0; i < nx; i++) // expect: versioned
                p[i + j * nx] = NEXT(p[i + j * nx], q[i]);
        for (unsigned j = 0; j < ny; j += 2) // expect: versioned
            for (unsigned i = 0; i < nx; i++) // expect: versioned
                p[i + j * ld] = NEXT(p[i + j * ld], q[j]);
        for (unsigned j = 1; j < ny - 1; j++) // expect: versioned
            for (unsigned i = 1; i < nx - 1; i++) // expect: versioned
                p[i + j * nx] = NEXT(q[i - 1 + j * nx], q[i + (j + 1) * nx]);
    }
}

static void with_signs(int nx, int ny, unsigned ld, int *restrict p, const int *restrict q)
{
#pragma acc kernels copy(p[0:N]) copyin(q[0:N])
    for (int j = 0; j < ny; j++) // expect: versioned
        for (int i = 0; i < nx; i++) // expect: versioned
            if (j % 4 == 0)
                p[i + j * ld] = NEXT(p[i + j * ld], q[i]);
}

static void of_both_signs(int nx, size_t n, int *restrict p, const int *restrict q)
{
#pragma acc kernels copy(p[0:N]) copyin(q[0:N])
    {
        for (unsigned i = 0; i < n; i++) // expect: parallel
            p[i] = NEXT(p[i], q[i]);
        for (unsigned i = 0; i < nx; i++) // expect: parallel
            p[i] ^= q[i + 1];
        for (uint32_t i = 3; i < n; i += 5) // expect: versioned
            p[i] = p[i - 2] + q[i];
        for (size_t i = 0; i < n; i++) { // expect: versioned
            int at = (int)((uint32_t)i * 2);
            p[at] = NEXT(p[at], q[i]);
        }
    }
}

static void shifted(unsigned n, unsigned k, unsigned scale, int *restrict p, const int *restrict q)
{
#pragma acc kernels copy(p[0:N]) copyin(q[0:N])
    {
        for (unsigned i = 8; i < n; i++) // expect: versioned
            p[i + k] = NEXT(p[i + k], q[i]);
        for (unsigned i = 8; i < n; i++) // expect: versioned
            p[i] = NEXT(p[i + k], q[i]);
        for (unsigned i = 0; i < n; i++) // expect: versioned
            p[n - 1 - i] = NEXT(p[n - 1 - i], q[n - i - 1]);
        for (unsigned i = 0; i < n; i++) // expect: versioned
            if (i % 4 == 0)
                p[i * scale + 3] = NEXT(p[i * scale + 3], q[i]);
        unsigned at = 7;
        for (unsigned i = 0; i < n; i++) { // expect: versioned
            if (at < 64)
                p[at] = NEXT(p[at], q[i]);
            at += scale;
        }
    }
}

int main(void)
{
    fill(a, N, 51);
    fill(b, N, 52);
    rows(12, 16, 12, a, b);
    show("a", a, N);
    rows(8, 7, 1u << 31, a, b);
    show("a", a, N);
    rows(8, 7, 3, a, b);
    show("a", a, N);
    rows(12, 1, 12, a, b);
    show("a", a, N);
    with_signs(9, 9, 12, a, b);
    with_signs(9, 9, 1, a, b);
    show("a", a, N);
    with_signs(9, 9, 1u << 30, a, b);
    with_signs(-3, 9, 1u << 30, a, b);
    with_signs(9, -1, 7, a, b);
    show("a", a, N);
    of_both_signs(9, 90, a, b);
    of_both_signs(0, 2, a, b);
    show("a", a, N);
    shifted(40, 3, 2, a, b);
    show("a", a, N);
    shifted(40, 0u - 3, 0x40000000, a, b);
    show("a", a, N);
    shifted(40, 40, 0x80000000, a, b);
    shifted(40, 0, 0, a, b);
    shifted(40, 0u - 8, 0x40000001, a, b);
    show("a", a, N);
}
