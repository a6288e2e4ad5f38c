// A square of the counter, and a product of two.
#include "show.h"
#define N 30
static int a[N * N], b[N * N];

int main(void)
{
    fill(b, N * N, 105);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: sequential: unknown-subscript a
            a[i * i] = b[i];
        for (int i = 1; i < N; i++) // expect: sequential: unknown-subscript b
            for (int j = 0; j < N; j++) // expect: sequential: unknown-subscript b
                b[i * j] = i + j;
    }
    show("a", a, N * N);
    show("b", b, N * N);
}
