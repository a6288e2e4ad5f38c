// One element of an array that each iteration of a loop of workers has for itself, reduced by lanes: its
// address is that of the iteration's array.

#include <stdio.h>

int main(void)
{
    float out[5][40] = {0};
    long sums[5] = {0}, places[5][40] = {0};
    signed char bits[120] = {0};
    int first = 15, last = 11;
#pragma acc parallel loop gang reduction(| : bits[41:2]) copy(out)
    for (int g = 0; g < 5; g++) {
        bits[41] |= 1 << g;
#pragma acc loop worker
        for (int i = 0; i < 40; i++) {
            float r[3] = {2, 1, 1};
#pragma acc loop vector reduction(+ : r[1:1])
            for (int j = first - 13; j > last - 11; j -= 2)
                for (int k = 0; k <= 3; k++)
                    r[1] += i % 8;
            out[g][i] = r[0] * r[1] * r[2];
        }
    }
#pragma acc parallel loop gang copy(sums, places)
    for (int g = 0; g < 5; g++) {
        sums[g] = g;
#pragma acc loop worker
        for (int i = 0; i < 40; i++) {
            long r[2][2] = {{1, 2}, {3, 4}};
            int own = i & 1;
#pragma acc loop vector reduction(max : r[1][own])
            for (int j = 0; j < 100; j++)
                r[1][own] = r[1][own] < j * i ? j * i : r[1][own];
            places[g][i] = r[1][own] + r[0][own];
        }
    }
    long total = 0;
    for (int g = 0; g < 5; g++)
        for (int i = 0; i < 40; i++)
            total = total * 3 + (long)out[g][i] + places[g][i] + sums[g];
    printf("%ld %d\n", total, bits[41]);
    return 0;
}
