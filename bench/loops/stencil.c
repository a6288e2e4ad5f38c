/* One five-point sweep over a square grid of about n doubles. */
#include "timing.h"

double *from, *to;

static long side(long n)
{
    long s = 3;
    while ((s + 1) * (s + 1) <= n)
        s++;
    return s;
}

void setup(long n)
{
    long s = side(n);
    from = array(s * s, sizeof *from);
    to = array(s * s, sizeof *to);
    for (long i = 0; i < s * s; i++) {
        from[i] = i % 13;
        to[i] = 0;
    }
}

double kernel(long n)
{
    long s = side(n);
#pragma acc parallel loop collapse(2) copyin(from[0:s * s]) copy(to[0:s * s])
    for (long i = 1; i < s - 1; i++)
        for (long j = 1; j < s - 1; j++)
            to[i * s + j] = 0.5 * from[i * s + j]
                + 0.125 * (from[(i - 1) * s + j] + from[(i + 1) * s + j] + from[i * s + j - 1] + from[i * s + j + 1]);
    return to[s + 1];
}
