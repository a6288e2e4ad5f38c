// A pointer walks over the rows of an array that is accessed by rows, too.
#include "show.h"
#define N 30
#define M 32
static int a[N + 1][M];

int main(void)
{
    fill(a[0], (N + 1) * M, 38);
    int *p = (int *)a;
#pragma acc kernels
    {
        for (int k = 0; k < N * M; k++) // expect: parallel
            p[k] = p[k] * 3 + k;
        for (int i = 0; i < N; i++) // expect: sequential: carried a, distance 1
            for (int j = 0; j < M; j++) // expect: parallel
                a[i][j] = p[(i + 1) * M + j] + 1;
        for (int i = 0; i < N; i++) // expect: sequential: carried a, distance 1
            for (int j = 0; j < M; j++) // expect: parallel
                p[(i + 1) * M + j] = a[i][M - 1 - j] + 1;
    }
    show("a", a[0], (N + 1) * M);
}
