// Nests that are merged and go through tiles: sides that fit, that reach over the edge, that are too short for tiles,
// or empty; three loops; loops inside; other first values, steps and directions.
#include <stdio.h>

enum { MOST = 160 };
static int a[MOST][MOST], b[MOST][MOST], cube[6][40][140];

static long product(int rows, int columns)
{
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            b[i][j] = -1;
#pragma acc parallel loop collapse(2) copyin(a) copy(b)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            int sum = 0;
            for (int k = 0; k < 5; k++)
                sum += a[i][k] * a[k][j];
            b[i][j] = sum;
        }
    long total = 0;
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            total = total * 31 % 1000003 + b[i][j] + 2;
    return total;
}

static long turned(int first, int rows, int columns)
{
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            b[i][j] = 0;
#pragma acc parallel loop collapse(2) copyin(a) copy(b)
    for (int i = rows; i > first; i -= 2)
        for (int j = 1; j <= columns; j++)
            b[j][i] += a[i][j];
    long total = 0;
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            total = total * 31 % 1000003 + b[i][j];
    return total;
}

static long boxes(int depth, int rows, int columns)
{
    long count = 0;
#pragma acc parallel loop collapse(3) copy(cube) reduction(+:count)
    for (int h = 0; h < depth; h++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++) {
                for (int k = 0; k < 2; k++)
                    cube[h][i][j] += h * 10000 + i * 200 + j + k;
                count++;
            }
    long total = count;
    for (int h = 0; h < 6; h++)
        for (int i = 0; i < 40; i++)
            for (int j = 0; j < 140; j++)
                total = total * 31 % 1000003 + cube[h][i][j];
    return total;
}

int main(void)
{
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            a[i][j] = (i * 7 + j * 3) % 11 - 5;
    const int sides[][2] = { { 32, 128 }, { 33, 129 }, { 150, 159 }, { 31, 140 }, { 40, 20 }, { 0, 140 } };
    for (int n = 0; n < 6; n++)
        printf("%ld %ld\n", product(sides[n][0], sides[n][1]), turned(n - 1, sides[n][0], sides[n][1]));
    for (int n = 0; n < 3; n++) {
        long all = boxes(6 - n, 40 - n, 140 - n);
        long few = boxes(n, 7, 131);
        printf("%ld %ld\n", all, few);
    }
    return 0;
}
