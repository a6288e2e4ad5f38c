// Arrays of variable length as a GPU gets them: small ones in the frame, large ones on the heap, and both freed where
// their block ends. Each thread needs more than its frame has if nothing is freed.
#include <stdio.h>

#pragma acc routine seq
static int sum(int n)
{
    short row[n];
    int total = 0;
    for (int i = 0; i < n; i++)
        row[i] = i * n;
    for (int i = 0; i < n; i++)
        total += row[i * 7 % n];
    return total;
}

#pragma acc routine seq
static int nested(int n)
{
    int total = 0;
    double outer[n];
    for (int i = 0; i < n; i++)
        outer[i] = i;
    for (int round = 0; round < 40; round++) {
        int inner[n + round * 8];
        for (int i = 0; i < n + round * 8; i++)
            inner[i] = round + i;
        if (round % 5 == 3)
            continue;
        {
            _Alignas(64) char aligned[n + 1];
            total += (unsigned long)aligned % 64 == 0 ? 0 : 1000000;
            aligned[n] = 3;
            total += aligned[n];
        }
        if (round == 37)
            return total + inner[n];
        total += inner[round * 8] + (int)outer[round % n];
    }
    return total;
}

int main(void)
{
    int out[64];
#pragma acc parallel loop num_gangs(2) vector_length(32) copyout(out)
    for (int i = 0; i < 64; i++)
        out[i] = sum(i * 9 + 1) + nested(i + 1);
    for (int i = 0; i < 64; i++)
        printf("%d%c", out[i], i < 63 ? ' ' : '\n');
}
