// Gang, worker and vector loops onto one accumulator per gang, and onto one for all.
// also: --gangs 3
#include <stdio.h>

enum { G = 6, W = 7, V = 40 };
static int a[G][W][V], per_gang[G];

int main(void)
{
    long total = 5, expected = 5;
    int wrong = 0;
    for (int g = 0; g < G; g++)
        for (int w = 0; w < W; w++)
            for (int v = 0; v < V; v++)
                expected += a[g][w][v] = g * 100 + w * 10 + v;

#pragma acc parallel loop gang reduction(+:total) copyin(a) copyout(per_gang) num_workers(8) vector_length(32)
    for (int g = 0; g < G; g++) {
        int mine = 1;
#pragma acc loop worker reduction(+:mine)
        for (int w = 0; w < W; w++) {
#pragma acc loop vector reduction(+:mine)
            for (int v = 0; v < V; v++)
                mine += a[g][w][v];
        }
        per_gang[g] = mine;
        total += mine - 1;
    }
    for (int g = 0; g < G; g++)
        wrong += per_gang[g] != 1 + W * V * 100 * g + V * 10 * (W * (W - 1) / 2) + W * (V * (V - 1) / 2);
    if (wrong || total != expected) {
        printf("%d gangs wrong, total %ld, expected %ld\n", wrong, total, expected);
        return 1;
    }
    return 0;
}
