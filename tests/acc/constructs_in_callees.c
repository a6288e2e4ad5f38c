// A function that a region calls has constructs of its own: a device that is host code executes them where
// they stand, in its own memory.
#include <stdio.h>
#define N 8

static int table[N][N], total;
static int *last;

static void row(int i)
{
#pragma acc kernels
    for (int j = 0; j < N; j++)
        table[i][j] = 10 * i + j;
#pragma acc data copyin(table)
    {
#pragma acc serial copy(total)
        for (int j = 0; j < N; j++)
            total += table[i][j];
#pragma acc update self(table)
    }
#pragma acc host_data use_device(table)
    last = &table[i][1];
}

int main(void)
{
#pragma acc serial
    for (int i = 0; i < N; i++)
        row(i);
    int sum = 0;
    for (int i = 0; i < N * N; i++)
        sum = 3 * sum + table[i / N][i % N];
    printf("%d %d %d\n", total, sum, last != 0);
}
