// A level is no promise: what is refuted is executed in order, and what cannot be decided is believed.
#include "show.h"
#define N 200
static int a[N], b[N], index[N];

int main(void)
{
    fill(a, N, 117);
    for (int i = 0; i < N; i++)
        index[i] = N - 1 - i;
#pragma acc kernels
    {
#pragma acc loop gang // warn: independent-refuted
        for (int i = 1; i < N; i++) // expect: sequential: carried a, distance 1
            a[i] = a[i - 1] + 1;
#pragma acc loop gang vector
        for (int i = 0; i < N; i++) // expect: parallel
            b[index[i]] = a[i];
#pragma acc loop gang worker
        for (int i = 0; i < N; i++) // expect: parallel
            a[i] += b[i];
    }
    show("a", a, N);
    show("b", b, N);
}
