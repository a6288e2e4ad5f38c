// `a[2*i]` meets `a[i]` of a later iteration.
#include "show.h"
#define N 100
static int a[2 * N];

int main(void)
{
    fill(a, 2 * N, 20);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: sequential: carried a, distance 1
            a[2 * i] = a[i] + 1;
        for (int i = 70; i < N; i++) // expect: parallel
            a[2 * i] = a[i] + 1;
    }
    show("a", a, 2 * N);
}
