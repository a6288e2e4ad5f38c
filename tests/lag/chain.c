// Each task depends on the one before.
#include <stdio.h>

enum { STEPS = 8, SIZE = 256 };
static float data[SIZE];

int main(void)
{
#pragma omp target data map(tofrom : data)
    {
        for (int s = 0; s < STEPS; s++) {
#pragma omp target teams distribute parallel for nowait depend(inout : data)
            for (int i = 0; i < SIZE; i++)
                data[i] += (float)(s + i);
        }
#pragma omp taskwait
    }
    printf("%g\n", data[SIZE - 1]);
    return 0;
}
