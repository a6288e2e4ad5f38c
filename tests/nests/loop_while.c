// A `while` that counts is a counted loop.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    int i = 3;
    fill(b, N, 69);
#pragma acc kernels
    while (i < N - 1) { // expect: parallel
        a[i] = b[i - 1] + b[i + 1];
        i += 2;
    }
    show("a", a, N);
    printf("%d\n", i);
}
