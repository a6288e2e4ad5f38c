// Monte Carlo with a counter-based generator: the random numbers depend on the iteration only, so every device, and
// every number of gangs, counts the same points.
#include <stdint.h>
#include <stdio.h>

#pragma acc routine seq
static uint64_t mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

#pragma acc routine seq
static double uniform(uint64_t counter)
{
    return (mix(counter) >> 11) * 0x1p-53;
}

int main(void)
{
    const int n = 2000000;
    int inside = 0;
#pragma acc parallel loop gang vector reduction(+:inside)
    for (int i = 0; i < n; i++) {
        double x = uniform(2 * (uint64_t)i), y = uniform(2 * (uint64_t)i + 1);
        if (x * x + y * y < 1)
            inside++;
    }
    printf("%d of %d inside, pi is about %.4f\n", inside, n, 4.0 * inside / n);
    return 0;
}
