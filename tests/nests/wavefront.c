// Each element needs the one above and the one to the left.
#include "show.h"
#define N 30
static int a[N][N];

int main(void)
{
    fill(a[0], N * N, 7);
#pragma acc kernels
    for (int i = 1; i < N; i++) // expect: sequential: carried a, distance 1
        for (int j = 1; j < N; j++) // expect: sequential: carried a, distance 1
            a[i][j] = a[i - 1][j] - a[i][j - 1] + 1;
    show("a", a[0], N * N);
}
