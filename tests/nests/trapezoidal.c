// A band beside the diagonal, and its skewed copy.
#include "show.h"
#define N 60
#define W 8
static int a[N][W], b[N + W], c[N + W];

int main(void)
{
    fill(b, N + W, 30);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            for (int j = i; j < i + W; j++) // expect: parallel
                a[i][j - i] = b[j];
        for (int i = 0; i < N; i++) // expect: sequential: carried c, distance 1
            for (int j = i; j < i + W; j++) // expect: parallel
                c[j] = a[i][j - i] + i;
    }
    show("a", a[0], N * W);
    show("c", c, N + W);
}
