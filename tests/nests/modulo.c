// Remainders and quotients of the counter.
#include "show.h"
#define N 200
static int a[N], b[N], c[N], d[8][N];

int main(void)
{
    fill(b, N, 104);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: sequential: unknown-subscript a
            a[i % 8] = b[i];
        for (int i = 0; i < N; i++) // expect: sequential: unknown-subscript c
            c[i / 2] = b[i];
        for (int i = 0; i < N; i++) // expect: parallel
            d[i % 8][i / 8] = b[i];
    }
    show("a", a, N);
    show("c", c, N);
    show("d", d[0], 8 * N);
}
