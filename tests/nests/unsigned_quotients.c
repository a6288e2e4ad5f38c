// Quotients and rests of unsigned numbers in bounds and subscripts: what is known of them in front of the nest.
#include "show.h"
#define N 200
static int a[N], b[N];

static void half(int *p, int *q, unsigned n)
{
#pragma acc kernels
    for (unsigned i = 0; i < n / 2u; i++) // expect: versioned: if q p
        p[i] = q[i] + 1;
}

// The sum in the dividend wraps around.
static void rounded(int *p, int *q, unsigned n)
{
#pragma acc kernels
    for (int i = 0; i < (int)((n + 5u) / 4u % 64u); i++) // expect: versioned: if q p
        p[i + (n >> 29)] = q[i] * 3;
}

static void wide(int *p, int *q, unsigned long n, unsigned long m)
{
#pragma acc kernels
    for (unsigned long i = 0; i < n / 2; i++) // expect: versioned: if q p
        p[i + m % 7] = q[i + (m >> 61)] + 2;
}

static void below_zero(int *p, int *q, unsigned n, unsigned m)
{
#pragma acc kernels
    for (int i = 0; i < 20; i++) // expect: versioned: if q p
        p[i + (n - m) / 1000000000u] = q[i + (n - m) % 10u] ^ i;
}

// What the subscripts say of the iterations: two of them share an element, or none do.
static void pairs(unsigned n)
{
#pragma acc kernels
    {
        for (unsigned i = 0; i < n; i++) // expect: sequential: unknown-subscript a
            a[i / 2u] = b[i] + (int)i;
        for (unsigned i = 0; i < n; i++) // expect: parallel
            a[i / 2u + i % 2u * 100u] = b[i] - (int)i;
    }
}

int main(void)
{
    fill(a, N, 3);
    fill(b, N, 4);
    half(a, b, 33);
    half(a + 1, a, 40);
    rounded(a + 2, b, 101);
    rounded(a, a + 9, 4294967293u);
    rounded(a + 3, a, 4000000000u);
    wide(a, b, 50, 12345);
    wide(a + 4, a, 41, 18446744073709551615UL);
    below_zero(a, b, 5, 9);
    below_zero(a, a + 1, 7, 9);
    below_zero(a, a + 30, 9, 7);
    pairs(120);
    show("a", a, N);
}
