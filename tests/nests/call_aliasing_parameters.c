// A function that writes through two parameters: elements of two arrays, of one, and of pointers that may
// lead to one.
#include "show.h"
#define N 200
static int a[N + 1], b[N], c[N + 1];

__attribute__((noinline)) static void both(int *p, int *q, int value)
{
    *p = value;
    *q = *p + 3;
}

__attribute__((noinline)) static void through(int *p, int *q, int n)
{
#pragma acc kernels copy(p[0:n], q[0:n])
    for (int i = 0; i < n; i++) // expect: versioned: if p q
        both(&p[i], &q[i], i * i);
}

int main(void)
{
    fill(b, N, 70);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            both(&a[i], &b[i], i);
        for (int i = 0; i < N; i++) // expect: sequential: call both
            both(&c[i], &c[i + 1], b[i]);
        for (int i = 0; i < N; i++) // expect: parallel
            both(&a[i], &a[i], b[i]);
    }
    show("a", a, N);
    show("b", b, N);
    show("c", c, N + 1);
    through(a, c, N);
    show("a", a, N);
    show("c", c, N);
    through(c, c, N);
    show("c", c, N);
}
