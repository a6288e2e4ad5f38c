// Each iteration fills the array before it reads it.
#include "show.h"
#define N 100
#define M 12
static int a[N][M], b[N][M];

int main(void)
{
    int t[M];
    fill(b[0], N * M, 73);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel: private t
        for (int j = 0; j < M; j++) // expect: parallel
            t[j] = b[i][j] * 2;
        for (int j = 0; j < M; j++) // expect: parallel
            a[i][j] = t[M - 1 - j] + t[j];
    }
    show("a", a[0], N * M);
}
