// A whole array as reduction variable, over gangs, and in storage of the gang over its workers and lanes, both at once and one
// after the other. Each element is counted once, whatever the number of threads.
// also: --gangs 3
#include <stdio.h>

enum { N = 500, BINS = 8, ROWS = 5 };
static int out[ROWS][BINS], by_lanes[ROWS][BINS];
static double by_workers[ROWS][BINS];

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

    // Onto one array, by 128 lanes and then by workers.
#pragma acc parallel loop gang copyout(by_lanes, by_workers) num_workers(4) vector_length(128)
    for (int r = 0; r < ROWS; r++) {
        int bins[BINS];
        double halves[BINS];
        for (int b = 0; b < BINS; b++) {
            bins[b] = r;
            halves[b] = 0.5;
        }
#pragma acc loop vector reduction(+:bins)
        for (int i = 0; i < N; i++)
            bins[i % BINS] += 1;
#pragma acc loop worker reduction(+:bins, halves)
        for (int i = 0; i < N; i++) {
            bins[i % BINS] += 1;
            halves[i % BINS] += 0.5;
        }
        for (int b = 0; b < BINS; b++) {
            by_lanes[r][b] = bins[b];
            by_workers[r][b] = halves[b];
        }
    }

    for (int b = 0; b < BINS; b++) {
        int sum = 10 * b, count = 0;
        for (int i = b; i < N; i += BINS) {
            sum += i;
            count++;
        }
        wrong += all[b] != sum;
        for (int r = 0; r < ROWS; r++)
            wrong += out[r][b] != r + count || by_lanes[r][b] != r + 2 * count || by_workers[r][b] != 0.5 * (1 + count);
    }
    if (wrong)
        printf("%d wrong\n", wrong);
    return wrong != 0;
}
