// Blocks of a loop, with a shorter one at the end.
#include "show.h"
#define N 203
#define B 16
static int a[N], b[N];

int main(void)
{
    fill(b, N, 64);
#pragma acc kernels
    for (int k = 0; k < N; k += B) { // expect: parallel: private end
        int end = k + B < N ? k + B : N;
        for (int i = k; i < end; i++) // expect: parallel
            a[i] = b[N - 1 - i] + k;
    }
    show("a", a, N);
}
