// One triangle is written, both are read.
#include "show.h"
#define N 40
static int a[N][N];

int main(void)
{
    fill(a[0], N * N, 125);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            for (int j = 0; j < i; j++) // expect: parallel
                a[i][j] = a[j][i] + a[i][j];
        for (int i = 0; i < N; i++) // expect: sequential: carried a, distance 1
            for (int j = 0; j < i; j++) // expect: sequential: carried a, distance 1
                a[i][j] += a[i][j + 1] + a[i - 1][j];
    }
    show("a", a[0], N * N);
}
