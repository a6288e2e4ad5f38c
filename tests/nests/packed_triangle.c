// Rows of a packed triangle begin at a square: no two rows meet, which affine subscripts cannot say.
#include "show.h"
#define N 40
static int a[N * (N + 1) / 2];

int main(void)
{
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: sequential: unknown-subscript a
        for (int j = 0; j <= i; j++) // expect: parallel
            a[i * (i + 1) / 2 + j] = 100 * i + j;
    show("a", a, N * (N + 1) / 2);
}
