// The update of an elimination: pivots carry, rows and columns below them do not.
#include "show.h"
#define N 24
static int a[N][N];

int main(void)
{
    fill(a[0], N * N, 33);
#pragma acc kernels
    for (int k = 0; k < N - 1; k++) // expect: sequential: carried a, distance 1
        for (int i = k + 1; i < N; i++) // expect: parallel
            for (int j = k + 1; j < N; j++) // expect: parallel
                a[i][j] -= (a[i][k] % 5) * (a[k][j] % 5);
    show("a", a[0], N * N);
}
