// A function fills an object that each iteration has for itself.
#include "show.h"
#define N 200
static int a[N], b[N];

struct pair {
    int low, high;
};

__attribute__((noinline)) static void split(struct pair *p, int x)
{
    p->low = x & 255;
    p->high = x >> 8;
}

int main(void)
{
    fill(b, N, 95);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel
        struct pair p;
        split(&p, b[i]);
        a[i] = p.low - p.high;
    }
    show("a", a, N);
}
