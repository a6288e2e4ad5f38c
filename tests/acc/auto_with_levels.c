// `auto` beside levels: they are those of a loop that turns out to be independent, and any other is
// sequential (OpenACC 3.3, section 2.9.6).
#include <stdio.h>
#define N 64
static int a[N], b[N], t[N][N], r[N];
#pragma acc routine worker
static void row(int *x, int n, int by)
{
#pragma acc loop auto worker vector
    for (int i = 0; i < n; i++)
        x[i] = x[i] * 3 + by;
#pragma acc loop auto vector
    for (int i = 1; i < n; i++)
        x[i] += x[i - 1];
}
int main(void)
{
    for (int i = 0; i < N; i++) a[i] = i % 7, b[i] = i % 5;
#pragma acc parallel loop auto gang
    for (int i = 0; i < N; i++) a[i] += b[i];
#pragma acc parallel loop auto gang vector num_gangs(1)
    for (int i = 1; i < N; i++) a[i] += a[i - 1];
    int s = 0;
#pragma acc parallel num_gangs(2) copy(s)
    {
#pragma acc loop auto gang worker
    for (int i = 0; i < N; i++) {
#pragma acc loop auto vector
        for (int j = 0; j < N; j++) t[i][j] = i * j + a[i];
    }
    }
#pragma acc parallel num_gangs(1)
    {
#pragma acc loop auto gang
    for (int i = 1; i < N; i++) {
#pragma acc loop worker vector
        for (int j = 0; j < N; j++) t[i][j] += t[i - 1][j];
    }
    }
#pragma acc parallel num_gangs(2)
#pragma acc loop gang
    for (int j = 0; j < N; j++) {
#pragma acc loop auto worker
        for (int i = 1; i < N; i++) t[i][j] ^= t[i - 1][j] & 1023;
#pragma acc loop auto vector
        for (int i = 1; i < N; i++) t[i][j] += 3;
    }
#pragma acc kernels loop auto gang vector reduction(+ : s)
    for (int i = 0; i < N; i++) s += a[i];
#pragma acc kernels
    {
#pragma acc loop auto gang
    for (int i = 0; i < N; i++) r[i] = a[i] - b[i];
#pragma acc loop auto gang vector
    for (int i = 2; i < N; i++) r[i] += r[i - 2];
#pragma acc loop auto worker
    for (int i = 0; i < N; i++) s += r[i];
    }
#pragma acc serial loop auto gang
    for (int i = 3; i < N; i++) r[i] -= r[i - 3];
#pragma acc serial loop auto vector
    for (int i = 0; i < N; i++) r[i] += i;
#pragma acc parallel num_gangs(1) num_workers(4)
    row(r, N, 5);
    long c = s;
    for (int i = 0; i < N; i++) c = (c * 31 + a[i] + r[i]) % 1000003;
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) c = (c * 31 + t[i][j]) % 1000003;
    printf("%d %ld\n", s, c);
    return 0;
}
