// Each task has a block of its own, so that all may run at once.
#include <stdio.h>

enum { BLOCKS = 8, SIZE = 256 };
static float data[BLOCKS][SIZE];

int main(void)
{
#pragma omp target data map(tofrom : data)
    {
        for (int b = 0; b < BLOCKS; b++) {
#pragma omp target teams distribute parallel for nowait depend(inout : data[b][0])
            for (int i = 0; i < SIZE; i++)
                data[b][i] = (float)(b + i);
        }
#pragma omp taskwait
    }
    printf("%g\n", data[BLOCKS - 1][SIZE - 1]);
    return 0;
}
