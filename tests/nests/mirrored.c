// An array from its mirror image: the halves meet in the middle.
#include "show.h"
#define N 200
static int a[N];

int main(void)
{
    fill(a, N, 21);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: sequential: carried a, distance 1
            a[i] = a[N - 1 - i] + 1;
        for (int i = 0; i < N / 2; i++) // expect: parallel
            a[i] = a[N - 1 - i] * 2;
    }
    show("a", a, N);
}
