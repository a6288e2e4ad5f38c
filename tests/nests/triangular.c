// Inner bounds that depend on the outer counter.
#include "show.h"
#define N 40
static int a[N][N], b[N][N];

int main(void)
{
    fill(a[0], N * N, 28);
    fill(b[0], N * N, 29);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            for (int j = 0; j <= i; j++) // expect: parallel
                a[i][j] = b[j][i] + 1;
        for (int i = 0; i < N; i++) // expect: parallel
            for (int j = i + 1; j < N; j++) // expect: parallel
                a[i][j] = a[j][i] * 2;
        for (int i = 0; i < N; i++) // expect: sequential: carried a, distance 1
            for (int j = i; j < N; j++) // expect: sequential: carried a, distance 1
                a[j][N - 1 - i] = a[i][j] - 1;
    }
    show("a", a[0], N * N);
}
