// One iteration writes what all others read: only without it the loop is parallel.
#include "show.h"
#define N 200
static int a[N];

int main(void)
{
    fill(a, N, 18);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: sequential: carried a, distance 1
            a[i] = a[N - 1] + i;
        for (int i = 0; i < N - 1; i++) // expect: parallel
            a[i] = a[i] + a[N - 1];
    }
    show("a", a, N);
}
