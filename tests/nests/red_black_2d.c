// The squares of one colour of a board, from those of the other.
#include "show.h"
#define N 31
static int a[N][N];

int main(void)
{
    fill(a[0], N * N, 27);
#pragma acc kernels
    for (int i = 1; i < N - 1; i++) // expect: parallel
        for (int j = 1 + i % 2; j < N - 1; j += 2) // expect: parallel
            a[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
    show("a", a[0], N * N);
}
