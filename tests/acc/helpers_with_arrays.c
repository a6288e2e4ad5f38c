// Functions whose loops are as long as an argument says, with arrays of their own, which regions call.
#include <stdio.h>

enum { N = 96, WIDE = 8 };

static float x[16][N], y[16][WIDE], z[2][WIDE][N];

static inline void products(const float *a, const float *b, float *out, int depth)
{
    float sums[WIDE] = { 0 };
    for (int k = 0; k < depth; k++)
        for (int n = 0; n < WIDE; n++)
            sums[n] += a[k * N] * b[k * WIDE + n];
    for (int n = 0; n < WIDE; n++)
        out[n * N] -= sums[n];
}

// Each thread sorts some elements.
static void sort(float *values, int count)
{
    float own[4];
    for (int i = 0; i < count; i++)
        own[i] = values[i * N];
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && own[j - 1] > own[j]; j--) {
            float other = own[j];
            own[j] = own[j - 1], own[j - 1] = other;
        }
    for (int i = 0; i < count; i++)
        values[i * N] = own[i];
}

int main(void)
{
    for (int k = 0; k < 16; k++)
        for (int i = 0; i < N; i++)
            x[k][i] = (k * 7 + i * 3) % 11 - 5, y[k][i % WIDE] = (k + i) % 5;
#pragma acc data copyin(x, y) copy(z)
    {
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            products(&x[0][i], y[0], &z[0][0][i], 16);
#pragma acc parallel loop gang worker
        for (int j = 0; j < 2; j++)
#pragma acc loop vector
            for (int i = 0; i < N; i++)
                products(&x[j][i], y[j], &z[j][0][i], 3);
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            sort(&z[0][0][i], 4), sort(&z[1][2][i], 3);
    }
    double sum = 0;
    for (int j = 0; j < 2; j++)
        for (int n = 0; n < WIDE; n++)
            for (int i = 0; i < N; i++)
                sum += z[j][n][i] * (1 + (j * 131 + n * 17 + i) % 29);
    printf("%g %g %g %g\n", sum, z[0][0][5], z[0][3][5], z[1][4][90]);
    return 0;
}
