// A function that stores its parameter in a global, through which another one writes.
#include "show.h"
#define N 200
static int a[N], b[N];
static int *kept;
#pragma acc declare create(kept)

__attribute__((noinline)) static void keep(int *p)
{
    kept = p;
}

__attribute__((noinline)) static void set(int value)
{
    *kept = value;
}

int main(void)
{
    fill(b, N, 71);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: sequential: call keep
        keep(&a[i]);
        set(b[i] * 3);
    }
    show("a", a, N);
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: sequential: call keep
        keep(&a[i]);
}
