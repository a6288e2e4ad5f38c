// The distance is as long as the loop.
#include "show.h"
#define N 100
static int a[2 * N];

int main(void)
{
    fill(a, 2 * N, 14);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            a[i] = a[i + N] + 1;
        for (int i = 0; i < N; i++) // expect: sequential: carried a, distance 99
            a[i] = a[i + N - 1] * 2;
    }
    show("a", a, 2 * N);
}
