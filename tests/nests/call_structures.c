// Functions that are given structures and return them.
#include "show.h"
#define N 100
struct complex {
    int re, im;
};
static struct complex z[N], w[N];
static int a[N];

__attribute__((noinline)) static struct complex times(struct complex a, struct complex b)
{
    struct complex r;
    r.re = (a.re * b.re - a.im * b.im) % 1000;
    r.im = (a.re * b.im + a.im * b.re) % 1000;
    return r;
}

__attribute__((noinline)) static struct complex picked(const struct complex *list, int i)
{
    return list[i & 15];
}

__attribute__((noinline)) static int norm(struct complex a)
{
    a.re *= a.re;
    return a.re + a.im * a.im;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        z[i].re = i * 7 % 31, z[i].im = i * 5 % 29;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            w[i] = times(z[i], z[N - 1 - i]);
        for (int i = 0; i < N; i++) // expect: parallel
            a[i] = norm(picked(w, i));
        for (int i = 1; i < N; i++) // expect: sequential: carried w, distance 1
            w[i] = times(w[i - 1], z[i]);
        for (int i = 0; i < N; i++) // expect: sequential: unknown-subscript z
            z[i] = picked(z, i + 1);
    }
    show("a", a, N);
    show("z", &z[0].re, 2 * N);
    show("w", &w[0].re, 2 * N);
}
