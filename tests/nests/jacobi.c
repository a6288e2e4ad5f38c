// Time steps carry, the sweeps within do not.
#include "show.h"
#define N 24
static int a[N][N], b[N][N];

int main(void)
{
    fill(a[0], N * N, 4);
    fill(b[0], N * N, 5);
#pragma acc kernels
    for (int t = 0; t < 4; t++) { // expect: sequential: carried a, distance 1
        for (int i = 1; i < N - 1; i++) // expect: parallel
            for (int j = 1; j < N - 1; j++) // expect: parallel
                b[i][j] = a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j];
        for (int i = 1; i < N - 1; i++) // expect: parallel
            for (int j = 1; j < N - 1; j++) // expect: parallel
                a[i][j] = b[i][j] / 4 + 1;
    }
    show("a", a[0], N * N);
}
