// `tile`: nests of two and three loops, with and without levels, edges that no tile fits, reductions, tiles in tiles.
#include <stdio.h>
int main() {
    enum { N = 75, M = 90 };
    static int y[N][M], z[N][M], cube[9][20][40];
    long count = 0;
#pragma acc parallel loop tile(16, 16) copy(y)
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) y[i][j] += i * 3 + j;
#pragma acc parallel loop gang tile(8, 32) copy(y)
    for (int i = 0; i < N; i++) for (int j = 1; j < M; j++) y[i][j] += i * 5 + j;
#pragma acc parallel loop gang vector tile(*, 4) copyin(y) copyout(z) reduction(+:count)
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) { z[i][j] = y[N - 1 - i][j] * 2; count += z[i][j]; }
#pragma acc kernels loop tile(4, 4, 4) copy(cube)
    for (int h = 0; h < 9; h++) for (int i = 0; i < 20; i++) for (int j = 0; j < 40; j++) cube[h][i][j] = h * i + j;
#pragma acc parallel num_gangs(5) copy(z)
    {
#pragma acc loop gang tile(4) 
    for (int i = 0; i < N; i++) {
#pragma acc loop vector tile(8)
       for (int j = 0; j < M; j++) z[i][j] ^= i * j; }
    }
    long sum = 0;
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) sum = sum * 31 % 1000003 + y[i][j] + 7 * z[i][j];
    for (int i = 0; i < 9 * 800; i++) sum = sum * 31 % 1000003 + cube[0][0][i];
    printf("%ld %ld\n", sum, count);
}
