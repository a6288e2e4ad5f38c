// options: -fopenmp
// Device tasks between host tasks: the host makes a block, the device works on it, the host adds it up.
#include <stdio.h>

enum { BLOCKS = 4, N = 128 };

int main(void)
{
    static int data[BLOCKS][N];
    long sums[BLOCKS];
#pragma omp parallel
#pragma omp single
    for (int b = 0; b < BLOCKS; b++) {
        int *block = data[b];
        long *sum = &sums[b];
#pragma omp task depend(out : block[0]) firstprivate(block, b)
        for (int i = 0; i < N; i++)
            block[i] = b * i;
#pragma omp target enter data map(to : block[0 : N]) nowait depend(inout : block[0])
#pragma omp target teams distribute parallel for nowait depend(inout : block[0])
        for (int i = 0; i < N; i++)
            block[i] += i;
#pragma omp target exit data map(from : block[0 : N]) nowait depend(inout : block[0])
#pragma omp task depend(in : block[0]) depend(out : sum[0]) firstprivate(block, sum)
        {
            *sum = 0;
            for (int i = 0; i < N; i++)
                *sum += block[i];
        }
    }
    for (int b = 0; b < BLOCKS; b++)
        printf("%ld\n", sums[b]);
    return 0;
}
