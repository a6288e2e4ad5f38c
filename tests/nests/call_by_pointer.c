// A function that is called through a pointer, and one that is given to another one.
#include "show.h"
#define N 100
static int a[N], b[N];

#pragma acc routine seq
__attribute__((noinline)) static void set(int *p, int value)
{
    *p = value;
}

__attribute__((noinline)) static void apply(void (*f)(int *, int), int *p, int value)
{
    f(p, value);
}

int main(void)
{
    fill(b, N, 74);
#pragma acc kernels
    {
        void (*f)(int *, int) = set;
        for (int i = 0; i < N; i++) // expect: sequential: call pointer
            f(&a[i], b[i]);
    }
    show("a", a, N);
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: sequential: call apply
        apply(set, &b[i], a[i] + 1);
    show("b", b, N);
}
