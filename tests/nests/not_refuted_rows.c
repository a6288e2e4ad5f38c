// Rows of a constant length, of which a loop goes through an unknown number of elements: the program may well
// know that they are not more than a row has.
#include "show.h"
#define N 240
static int a[N], b[N];
static int rows[8][30];

static void flat(int *p, int h, int w)
{
#pragma acc parallel loop collapse(2) copy(p[0 : N])
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            p[30 * i + j] = i - j;
#pragma acc parallel loop copy(p[0 : N])
    for (int i = 1; i <= h - 1; i++)
        for (int j = w - 1; j >= 0; j--)
            p[30 * i + j] += p[30 * i + j] % 7;
#pragma acc kernels copy(p[0 : N])
    for (int i = 0; i < h; i++) // expect: parallel: reduction + p
        for (int j = 0; j < w; j++) // expect: parallel
            p[30 * i + j] += j;
}

static void of_dimension(int *p, int n, int dimensions)
{
#pragma acc parallel loop copy(p[0 : N])
    for (int i = 0; i < n; i++)
        for (int d = 0; d < dimensions; d++)
            p[3 * i + d] = i * d;
}

static void beyond(int *p, int h, int w)
{
#pragma acc parallel loop copy(p[0 : N]) // warn: independent-refuted
    for (int i = 0; i < h; i++)
        for (int j = 0; j < 31; j++)
            p[30 * i + j] = 0;
#pragma acc parallel loop copy(p[0 : N]) // warn: independent-refuted
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            p[i + j] = 0;
#pragma acc parallel loop copy(rows) // warn: independent-refuted
    for (int i = 1; i < h; i++)
        for (int j = 1; j < w; j++)
            rows[i][j] = rows[i - 1][j - 1];
}

int main(void)
{
    fill(a, N, 115);
    fill(b, N, 116);
    flat(a, 8, 29);
    of_dimension(b, 80, 3);
    beyond(b, 1, 1);
    show("a", a, N);
    show("b", b, N);
}
