// In place in two dimensions: both loops carry.
#include "show.h"
#define N 30
static int a[N][N];

int main(void)
{
    fill(a[0], N * N, 6);
#pragma acc kernels
    for (int i = 1; i < N - 1; i++) // expect: sequential: carried a, distance 1
        for (int j = 1; j < N - 1; j++) // expect: sequential: carried a, distance 1
            a[i][j] = (a[i - 1][j - 1] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j + 1]) / 3;
    show("a", a[0], N * N);
}
