// A pipeline: each block of the data goes to the device, through two kernels and back. The four steps of a
// block are target tasks in a chain; the blocks are independent, so that a device may copy one block while
// it computes on another. Needs `-fopenmp`; plain C computes the same.
// options: -fopenmp
#include <stdio.h>

enum { BLOCKS = 5, SIZE = 400 };
static float data[BLOCKS][SIZE];

int main(void)
{
    for (int b = 0; b < BLOCKS; b++)
        for (int i = 0; i < SIZE; i++)
            data[b][i] = (float)(b + i % 8);
    for (int b = 0; b < BLOCKS; b++) {
        float *block = data[b];
        // The first element stands for the block; each step is behind the one before.
#pragma omp target enter data map(to : block[0 : SIZE]) nowait depend(out : block[0])
#pragma omp target teams distribute parallel for nowait depend(inout : block[0]) map(to : block[0 : SIZE])
        for (int i = 0; i < SIZE; i++)
            block[i] = block[i] * 2 + 1;
#pragma omp target teams distribute parallel for nowait depend(inout : block[0]) map(to : block[0 : SIZE])
        for (int i = 0; i < SIZE; i++)
            block[i] *= 0.5f;
#pragma omp target exit data map(from : block[0 : SIZE]) nowait depend(inout : block[0])
    }
#pragma omp taskwait
    for (int b = 0; b < BLOCKS; b++) {
        float sum = 0;
        for (int i = 0; i < SIZE; i++)
            sum += data[b][i];
        printf("block %d: %g\n", b, sum);
    }
    return 0;
}
