// The row is data, the column is the counter.
#include "show.h"
#define N 40
#define M 30
static int a[N][M], b[N][M], row[N];

int main(void)
{
    fill(b[0], N * M, 102);
    for (int i = 0; i < N; i++)
        row[i] = (i * 3) % N / 2;
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: sequential: unknown-subscript a
        for (int j = 0; j < M; j++) // expect: parallel
            a[row[i]][j] = b[i][j] + i;
    show("a", a[0], N * M);
}
