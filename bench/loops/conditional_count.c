/* How many of n ints lie in a range. */
#include "timing.h"

int *a;

void setup(long n)
{
    unsigned state = 7;
    a = array(n, sizeof *a);
    for (long i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        a[i] = state >> 22;
    }
}

double kernel(long n)
{
    long count = 0;
#pragma acc parallel loop reduction(+:count) copyin(a[0:n])
    for (long i = 0; i < n; i++)
        if (a[i] > 200 && a[i] < 700)
            count++;
    return count;
}
