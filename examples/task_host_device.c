// Host and device in one graph: the host makes a block, the device computes on it, the host reads the result.
// A `depend` clause does not say where its task is executed. Needs `-fopenmp`; plain C computes the same.
// options: -fopenmp
#include <stdio.h>

enum { BLOCKS = 4, SIZE = 256 };
static int data[BLOCKS][SIZE];
static long sums[BLOCKS];

int main(void)
{
#pragma omp parallel
#pragma omp single
    for (int b = 0; b < BLOCKS; b++) {
#pragma omp task depend(out : data[b])
        for (int i = 0; i < SIZE; i++)
            data[b][i] = b * i;
#pragma omp target teams distribute parallel for nowait depend(inout : data[b]) map(tofrom : data[b : 1])
        for (int i = 0; i < SIZE; i++)
            data[b][i] = data[b][i] * data[b][i] % 1000;
#pragma omp task depend(in : data[b])
        for (int i = 0; i < SIZE; i++)
            sums[b] += data[b][i];
    }
    // All tasks are complete at the end of the team.
    for (int b = 0; b < BLOCKS; b++)
        printf("%d: %ld\n", b, sums[b]);
    return 0;
}
