// Elements of an array that is turned round are added to others: the threads of a gang exchange values in squares,
// of which those over the edge have iterations that do not exist. These must not load what others store.
#include "show.h"
#define N 75
#define M 2001
static int a[N * M], b[N * M];

static void add(int planes, int n, int m, int (*restrict from)[n][m], int (*restrict to)[m][n])
{
#pragma acc kernels copyin(from[0:planes]) copy(to[0:planes])
    for (int h = 0; h < planes; h++)    // expect: parallel: private i, private j
        for (int i = 0; i < n; i++)     // expect: parallel: private j
            for (int j = 0; j < m; j++) // expect: parallel
                to[h][j][i] += from[h][i][j] * 2;
}

int main(void)
{
    fill(a, N * M, 3);
    fill(b, N * M, 4);
    add(1, N, M, (int(*)[N][M])a, (int(*)[M][N])b);
    show("b", b, N * M);
    return 0;
}
