// Executes the golden case of nests whose gangs exchange values.
#include <stdio.h>

#include "../../golden/cases/ptx/exchange.c"

enum { N = 135, M = 70, WORDS = (N + 31) / 32 };

static float x[N * N], y[N * N], z[N * N];
static unsigned bits[N * WORDS];
static double a[ROWS][COLUMNS], b[COLUMNS][ROWS];

static double weighted(const float *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i] * (double)(i % 1009);
    return sum;
}

int main(void)
{
    for (int i = 0; i < N * N; i++) {
        x[i] = i * 7 % 263 - 60;
        z[i] = i % 11;
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            a[i][j] = (i * 5 + j * 3) % 127;
            b[j][i] = (i + j * 2) % 31;
        }
#pragma acc data copyin(x, a) copy(y, z, b) copyout(bits)
    {
        transpose(N, x, y);
#pragma acc update self(y)
        printf("transpose: %.12g\n", weighted(y, N * N));
        both(a, b);
        for (int i = 0; i < N * N; i++)
            y[i] = -i % 19;
#pragma acc update device(y)
        neither(N, x, y, z);
#pragma acc update self(y)
        printf("neither: %.12g\n", weighted(y, N * N));
        along_outer(N, M, x, y);
        mask(N, WORDS, x, bits);
    }
    double sum = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            sum += b[j][i] * ((i * COLUMNS + j) % 1013);
    printf("both: %.12g\n", sum);
    unsigned all = 0;
    for (int i = 0; i < N * WORDS; i++)
        all = all * 31 + bits[i];
    printf("mask: %u %u\n", all, bits[WORDS]);
    printf("along_outer: %.12g %.12g\n", weighted(y, N * N), weighted(z, N * N));
    return 0;
}
