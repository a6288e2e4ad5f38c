// Each iteration adds to all elements: the outer loop reduces the array, the inner one moves over it.
#include "show.h"
#define N 60
#define M 20
static int a[N][M], y[M];

int main(void)
{
    fill(a[0], N * M, 85);
    fill(y, M, 86);
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: parallel: reduction + y
        for (int j = 0; j < M; j++) // expect: parallel
            y[j] += a[i][j] * 2;
    show("y", y, M);
}
