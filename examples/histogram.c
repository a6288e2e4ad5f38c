// A histogram: many iterations may hit one counter at once, so each update is atomic.
#include <stdio.h>

enum { N = 100000, BINS = 10 };
static unsigned samples[N];

int main(void)
{
    int count[BINS] = {0};
    unsigned state = 2463534242u;
    for (int i = 0; i < N; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        samples[i] = state;
    }

#pragma acc parallel loop copyin(samples) copy(count)
    for (int i = 0; i < N; i++) {
        unsigned bin = samples[i] / 429496730u;
#pragma acc atomic update
        count[bin]++;
    }

    int total = 0;
    for (int bin = 0; bin < BINS; bin++) {
        printf("%d: %5d\n", bin, count[bin]);
        total += count[bin];
    }
    printf("total %d\n", total);
    return 0;
}
