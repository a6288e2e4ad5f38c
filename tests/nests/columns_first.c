// The inner loop goes down the columns.
#include "show.h"
#define N 40
static int a[N][N], b[N][N];

int main(void)
{
    fill(b[0], N * N, 109);
#pragma acc kernels
    {
        for (int j = 0; j < N; j++) // expect: parallel
            for (int i = 0; i < N; i++) // expect: parallel
                a[i][j] = b[i][j] + 1;
        for (int j = 0; j < N; j++) // expect: parallel
            for (int i = 1; i < N; i++) // expect: sequential: carried b, distance 1
                b[i][j] += b[i - 1][j];
    }
    show("a", a[0], N * N);
    show("b", b[0], N * N);
}
