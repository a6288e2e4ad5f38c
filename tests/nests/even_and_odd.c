// Even elements are written, odd ones are read.
#include "show.h"
#define N 200
static int a[2 * N + 1];

int main(void)
{
    fill(a, 2 * N + 1, 19);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            a[2 * i] = a[2 * i + 1] * 3;
        for (int i = 0; i < N; i++) // expect: parallel
            a[2 * i + 1] = a[2 * i] + a[2 * i + 2];
        for (int i = 0; i < N / 4; i++) // expect: parallel
            a[4 * i + 2] = a[6 * i + 1];
    }
    show("a", a, 2 * N + 1);
}
