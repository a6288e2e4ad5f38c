// A whole array in `cache`, and sizes of `tile` that are no constants: hints, which other compilers take.
#include <stdio.h>

#define N 20

static int a[N][N], b[N][N];

static void tiles(int rows, int columns)
{
#pragma acc parallel loop tile(rows, columns) copyin(a) copy(b)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b[i][j] += a[j][i];
#pragma acc kernels loop independent tile(4, columns) copy(b)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b[i][j] *= 2;
}

static void whole(void)
{
    int own[N];
#pragma acc parallel loop gang private(own) copyin(a) copy(b)
    for (int i = 0; i < N; i++) {
#pragma acc cache(own)
#pragma acc loop vector
        for (int j = 0; j < N; j++)
            own[j] = a[i][j] * 3;
#pragma acc loop vector
        for (int j = 0; j < N; j++)
            b[i][j] += own[N - 1 - j];
    }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i * 7 % 11 - j;
            b[i][j] = i - j * 5 % 13;
        }
    tiles(4, 8);
    whole();
    int sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += b[i][j] * (i * 3 + j + 1);
    printf("%d\n", sum);
    return 0;
}
