// Arrays in packed structures: their elements lie anywhere, whatever their type. Rows of variable length keep the
// alignment of their elements.
#include <stdio.h>
#include <stdlib.h>
#define N 24

struct record {
    char tag;
    int key[N];
    struct {
        short half;
        double at[2][3];
    } __attribute__((packed)) inner[2];
} __attribute__((packed));

static struct record table[2];

static int keys(struct record *restrict p, int by)
{
    int sum = 0;
#pragma acc kernels copy(p[0:2])
    for (int i = 0; i < N; i++) {
        p->key[i] = by * i;
        p[1].key[N - 1 - i] += p->key[i] + p->tag;
    }
#pragma acc parallel loop reduction(+ : sum) copyin(p[0:2])
    for (int i = 0; i < N; i++)
        sum += p[1].key[i] * p[0].key[3];
    return sum;
}

int main(void)
{
    struct record local = { 'c', { 4, 5, 6 } };
    int rows = 5, n = 7;
    double (*grid)[n] = malloc(rows * sizeof *grid), sum = 0;
    table[0].tag = 3;
#pragma acc parallel loop collapse(2) copy(table, local)
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) {
            table[i].inner[1].at[i][j] = 1.5 * i + j;
            local.inner[i].at[1][j] = 2.5 * j;
            if (j == 1) local.inner[i].half = 9;
        }
#pragma acc kernels
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            grid[i][j] = i + 0.5 * j;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            sum += table[i].inner[1].at[i][j] + 10 * local.inner[i].at[1][j] + local.inner[i].half;
    for (int i = 0; i < rows * n; i++)
        sum += grid[i / n][i % n];
    int total = keys(table, 3);
    printf("%d %d %.3f\n", total, table[1].key[2], sum);
    free(grid);
}
