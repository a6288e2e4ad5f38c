// A function reads an array by its name that each iteration fills: it would not find copies of it.
#include "show.h"
#define N 200
static int t[2], a[N], b[N], c[N];

__attribute__((noinline)) static int first(void)
{
    return t[0];
}

__attribute__((noinline)) static int first_of(const int *p)
{
    return p[0];
}

int main(void)
{
    fill(b, N, 76);
#pragma acc kernels copy(t)
    for (int i = 0; i < N; i++) { // expect: sequential: carried t, distance 1
        t[0] = b[i];
        t[1] = i;
        a[i] = first() * 3;
    }
    show("a", a, N);
    show("t", t, 2);
#pragma acc kernels copy(t)
    for (int i = 0; i < N; i++) { // expect: parallel: last t
        t[0] = b[i];
        t[1] = i;
        c[i] = first_of(t) * 5;
    }
    show("c", c, N);
    show("t", t, 2);
}
