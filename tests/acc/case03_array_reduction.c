// A whole array as reduction variable, over gangs, and in storage of the gang over its workers and lanes.
// also: --gangs 3
#include <stdio.h>

enum { N = 500, BINS = 8, ROWS = 5 };
static int out[ROWS][BINS];

int main(void)
{
    int wrong = 0, all[BINS];
    for (int b = 0; b < BINS; b++)
        all[b] = 10 * b;

#pragma acc parallel loop gang reduction(+:all)
    for (int i = 0; i < N; i++)
        all[i % BINS] += i;

#pragma acc parallel loop gang copyout(out) num_workers(4) vector_length(32)
    for (int r = 0; r < ROWS; r++) {
        int bins[BINS];
#pragma acc loop seq
        for (int b = 0; b < BINS; b++)
            bins[b] = r;
#pragma acc loop worker vector reduction(+:bins)
        for (int i = 0; i < N; i++)
            bins[i % BINS] += 1;
#pragma acc loop seq
        for (int b = 0; b < BINS; b++)
            out[r][b] = bins[b];
    }

    for (int b = 0; b < BINS; b++) {
        int sum = 10 * b, count = 0;
        for (int i = b; i < N; i += BINS) {
            sum += i;
            count++;
        }
        wrong += all[b] != sum;
        for (int r = 0; r < ROWS; r++)
            wrong += out[r][b] != r + count;
    }
    if (wrong)
        printf("%d wrong\n", wrong);
    return wrong != 0;
}
