// The array is used behind the loop: its last value is kept.
#include "show.h"
#define N 100
#define M 12
static int a[N][M], b[N][M], t[M];

int main(void)
{
    fill(b[0], N * M, 75);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel: last t
        for (int j = 0; j < M; j++) // expect: parallel
            t[j] = b[i][j] - i;
        for (int j = 0; j < M; j++) // expect: parallel
            a[i][j] = t[M - 1 - j];
    }
    show("a", a[0], N * M);
    show("t", t, M);
}
