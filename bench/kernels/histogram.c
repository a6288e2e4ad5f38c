/* How often each of 256 values is among n numbers, by atomic updates. */
#include "../loops/timing.h"

enum { BINS = 256 };

unsigned char *values;
int *counts;

void setup(long n)
{
    values = array(n, 1);
    counts = array(BINS, sizeof *counts);
    unsigned random = 1;
    for (long i = 0; i < n; i++) {
        random = random * 1664525 + 1013904223;
        values[i] = random >> 24;
    }
}

double kernel(long n)
{
    for (int i = 0; i < BINS; i++)
        counts[i] = 0;
#pragma acc parallel loop copyin(values[0:n]) copy(counts[0:BINS])
    for (long i = 0; i < n; i++) {
#pragma acc atomic
        counts[values[i]]++;
    }
    return counts[17] + counts[255];
}
