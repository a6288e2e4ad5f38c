// Subscripts from an array: reading through them is harmless, writing is not.
#include "show.h"
#define N 200
static int a[N], b[N], index[N], c[N];

int main(void)
{
    fill(b, N, 101);
    for (int i = 0; i < N; i++)
        index[i] = (i * 7 + i / 10) % N;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            a[i] = b[index[i]] * 2;
        for (int i = 0; i < N; i++) // expect: sequential: unknown-subscript c
            c[index[i]] = b[i] + i;
        for (int i = 0; i < N; i++) // expect: sequential: unknown-subscript a
            a[i] = a[index[i]] + 1;
    }
    show("a", a, N);
    show("c", c, N);
}
