// A row uses the row above, shifted: rows carry, columns do not.
#include "show.h"
#define N 40
static int a[N][N];

int main(void)
{
    fill(a[0], N * N, 8);
#pragma acc kernels
    for (int i = 1; i < N; i++) // expect: sequential: carried a, distance 1
        for (int j = 0; j < N - 2; j++) // expect: parallel
            a[i][j] = a[i - 1][j + 2] * 3 + 1;
    show("a", a[0], N * N);
}
