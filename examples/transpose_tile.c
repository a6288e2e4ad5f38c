// A transposition with `tile`: neighbouring elements of both matrices are handled close together.
#include <stdio.h>

enum { N = 150, M = 130 };
static int a[N][M], b[M][N];

int main(void)
{
    int wrong = 0;
#pragma acc data create(a) copyout(b)
    {
#pragma acc parallel loop collapse(2) present(a)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                a[i][j] = i * 1000 + j;
#pragma acc parallel loop tile(16, 8) present(a, b)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                b[j][i] = a[i][j];
#pragma acc parallel loop collapse(2) reduction(+:wrong) present(b)
        for (int j = 0; j < M; j++)
            for (int i = 0; i < N; i++)
                wrong += b[j][i] != i * 1000 + j;
    }
    printf("b[7][11] = %d, wrong %d\n", b[7][11], wrong);
    return 0;
}
