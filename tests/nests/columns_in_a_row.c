// Each row is a recurrence of its own.
#include "show.h"
#define N 40
static int a[N][N];

int main(void)
{
    fill(a[0], N * N, 9);
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: parallel
        for (int j = 1; j < N; j++) // expect: sequential: carried a, distance 1
            a[i][j] += a[i][j - 1] * 2;
    show("a", a[0], N * N);
}
