// Elements of an array that a gang's workers share, updated by all of them at once; and vector-only loops in one gang
// that accumulate into scalars and into an array.
// also: --gangs 3
#include <stdio.h>

enum { N = 4000, BINS = 16, ROWS = 4 };
static int out[ROWS][BINS], sums[ROWS][2], counts[ROWS][3];

int main(void)
{
    int wrong = 0;
#pragma acc parallel loop gang copyout(out) num_workers(8) vector_length(32)
    for (int r = 0; r < ROWS; r++) {
        int bins[BINS];
#pragma acc loop seq
        for (int b = 0; b < BINS; b++)
            bins[b] = 0;
#pragma acc loop worker vector
        for (int i = 0; i < N; i++) {
#pragma acc atomic
            bins[(i * (r + 1)) % BINS] += 1;
        }
#pragma acc loop seq
        for (int b = 0; b < BINS; b++)
            out[r][b] = bins[b];
    }
    for (int r = 0; r < ROWS; r++) {
        int bins[BINS] = {0};
        for (int i = 0; i < N; i++)
            bins[(i * (r + 1)) % BINS] += 1;
        for (int b = 0; b < BINS; b++)
            wrong += out[r][b] != bins[b];
    }

#pragma acc parallel num_gangs(1) vector_length(64) copyout(sums, counts)
    {
#pragma acc loop seq
        for (int r = 0; r < ROWS; r++) {
            int low = 0, high = 0;
#pragma acc loop vector reduction(+:low, high)
            for (int i = 0; i < N; i++) {
                if (i < N / 2)
                    low += r;
                else
                    high += r + 1;
            }
            int thirds[3] = {r, 0, 0};
#pragma acc loop vector reduction(+:thirds)
            for (int i = 0; i < N; i++)
                thirds[i % 3] += i % 7 == r;
            for (int t = 0; t < 3; t++)
                counts[r][t] = thirds[t];
            sums[r][0] = low;
            sums[r][1] = high;
        }
    }
    for (int r = 0; r < ROWS; r++) {
        int thirds[3] = {r, 0, 0};
        for (int i = 0; i < N; i++)
            thirds[i % 3] += i % 7 == r;
        for (int t = 0; t < 3; t++)
            wrong += counts[r][t] != thirds[t];
    }
    for (int r = 0; r < ROWS; r++)
        wrong += (sums[r][0] != r * N / 2) + (sums[r][1] != (r + 1) * N / 2);
    if (wrong)
        printf("%d wrong\n", wrong);
    return wrong != 0;
}
