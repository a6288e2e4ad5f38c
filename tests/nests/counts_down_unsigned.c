// An unsigned counter that goes down by one to zero is a sum with more bits, too: it meets zero before it wraps around.
#include "show.h"
#define N 211
static int a[N + 1], b[N + 1], c[N + 1], d[N + 1], e[N + 1];

static void run(unsigned n, int *restrict p, const int *restrict q)
{
#pragma acc kernels copy(p[0 : N + 1]) copyin(q[0 : N + 1])
    {
        for (unsigned i = n; i-- > 0;) // expect: parallel
            p[i] = q[i] + 1;
    }
#pragma acc kernels copy(p[0 : N + 1]) copyin(q[0 : N + 1])
    {
        unsigned i = n;
        while (i--) // expect: parallel
            p[i] += q[i];
    }
#pragma acc kernels copy(p[0 : N + 1]) copyin(q[0 : N + 1])
    {
        for (unsigned i = n; i != 0; i--) // expect: parallel
            p[i - 1] += 3 * q[i - 1] + q[i];
    }
#pragma acc kernels copy(p[0 : N + 1]) copyin(q[0 : N + 1])
    {
        for (unsigned i = 100; i > 0; i--) // expect: parallel
            p[i] = 2 * p[i] + q[i - 1];
    }
}

static void carries(unsigned n, int *restrict p)
{
#pragma acc kernels copy(p[0 : N + 1])
    {
        for (unsigned i = n; i-- > 0;) // expect: sequential: unknown-subscript p
            p[i] = p[i + 1] + 1;
    }
}

// A step of two may pass zero, and then the counter goes on from the other end.
static void passes(unsigned n, int *restrict p, const int *restrict q)
{
#pragma acc kernels copy(p[0 : N + 1]) copyin(q[0 : N + 1])
    {
        for (unsigned i = n; i > 0; i -= 2) // expect: sequential: unknown-subscript p
            p[i - 1] = q[i];
    }
}

// Below what is compared by more than one, the number may have wrapped around.
static void below(unsigned n, int *restrict p, const int *restrict q)
{
#pragma acc kernels copy(p[0 : N + 1]) copyin(q[0 : N + 1])
    {
        for (unsigned i = n; i > 0; i--) // expect: sequential: unknown-subscript p
            p[(i - 2) & 127] = q[i];
    }
}

int main(void)
{
    fill(b, N + 1, 17);
    fill(c, N + 1, 18);
    fill(d, N + 1, 19);
    run(N, a, b);
    run(0, d, b);
    carries(N, c);
    passes(210, d, b);
    below(64, e, b);
    show("a", a, N + 1);
    show("c", c, N + 1);
    show("d", d, N + 1);
    show("e", e, N + 1);
}
