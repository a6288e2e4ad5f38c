// An element that the number of the lane and of its gang chooses belongs to that lane, and each of its
// iterations uses what the one before left there.
#include <stdio.h>

enum { N = 5000, GANGS = 4, LANES = 64 };
static long own[GANGS * LANES], values[N];

static long taken(void)
{
    long sum = 0;
    for (int i = 0; i < GANGS * LANES; i++) {
        sum += own[i];
        own[i] = 0;
    }
    return sum;
}

#pragma acc routine seq
static int number(void)
{
    return __builtin_goacc_parlevel_id(0) * LANES + __builtin_goacc_parlevel_id(2);
}

int main(void)
{
    for (int i = 0; i < N; i++)
        values[i] = i % 13;
#pragma acc parallel loop gang vector num_gangs(GANGS) vector_length(LANES) copy(own) copyin(values)
    for (int i = 0; i < N; i++)
        own[__builtin_goacc_parlevel_id(0) * LANES + __builtin_goacc_parlevel_id(2)] += values[i];
    printf("%ld\n", taken());
#pragma acc parallel loop gang vector num_gangs(GANGS) vector_length(LANES) copy(own) copyin(values)
    for (int i = 0; i < N; i++)
        own[number()] += values[i];
    printf("%ld\n", taken());
    return 0;
}
