/* The largest of n ints. */
#include "timing.h"

int *a;

void setup(long n)
{
    unsigned state = 1;
    a = array(n, sizeof *a);
    for (long i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        a[i] = state >> 1;
    }
}

double kernel(long n)
{
    int largest = -1;
#pragma acc parallel loop reduction(max:largest) copyin(a[0:n])
    for (long i = 0; i < n; i++)
        largest = a[i] > largest ? a[i] : largest;
    return largest;
}
