// Inclusive prefix sums in three phases, under `kernels`: blocks in parallel, their totals one after the other, blocks
// in parallel again.
#include <stdio.h>

enum { BLOCK = 128, BLOCKS = 50, N = BLOCK * BLOCKS };
static int input[N];
static long prefix[N], start[BLOCKS];

int main(void)
{
    for (int i = 0; i < N; i++)
        input[i] = i * 7 % 11 - 3;

#pragma acc kernels copyin(input) copyout(prefix) create(start)
    {
#pragma acc loop independent gang
        for (int b = 0; b < BLOCKS; b++) {
            long running = 0;
#pragma acc loop seq
            for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
                running += input[i];
                prefix[i] = running;
            }
        }
        start[0] = 0;
#pragma acc loop seq
        for (int b = 1; b < BLOCKS; b++)
            start[b] = start[b - 1] + prefix[b * BLOCK - 1];
#pragma acc loop independent gang
        for (int b = 1; b < BLOCKS; b++)
#pragma acc loop independent vector
            for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++)
                prefix[i] += start[b];
    }

    long running = 0;
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        running += input[i];
        wrong += prefix[i] != running;
    }
    printf("last %ld, wrong %d\n", prefix[N - 1], wrong);
    return 0;
}
