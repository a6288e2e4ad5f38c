// Each iteration has a histogram of its own, in an array outside of the loop.
#include "show.h"
#define N 60
#define M 40
#define BINS 8
static int a[N][BINS], b[N][M];

int main(void)
{
    int count[BINS];
    for (int i = 0; i < N * M; i++)
        b[i / M][i % M] = (i * i + i / 7) % BINS;
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel: private count
        for (int k = 0; k < BINS; k++) // expect: parallel
            count[k] = 0;
        for (int j = 0; j < M; j++) // expect: parallel: reduction + count
            count[b[i][j]]++;
        for (int k = 0; k < BINS; k++) // expect: parallel
            a[i][k] = count[k];
    }
    show("a", a[0], N * BINS);
}
