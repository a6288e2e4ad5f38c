// A reduction on `parallel` with gang-redundant code outside its loops: each gang counts once, the original once.
// also: --gangs 3
// also: --gangs 7
#include <stdio.h>

enum { N = 100 };

int main(void)
{
    int gangs = 0, sum = 1000, mixed = 10;
#pragma acc parallel num_gangs(4) reduction(+:gangs, sum)
    {
        gangs += 1;
        sum += 3;
    }
    if (gangs < 1 || sum != 1000 + 3 * gangs) {
        printf("gangs = %d, sum = %d\n", gangs, sum);
        return 1;
    }
    // Redundant code, a gang loop, redundant code again.
#pragma acc parallel num_gangs(1) reduction(+:mixed)
    {
        mixed += 1;
#pragma acc loop gang reduction(+:mixed)
        for (int i = 0; i < N; i++)
            mixed += i;
        mixed += 2;
    }
    if (mixed != 10 + 1 + N * (N - 1) / 2 + 2) {
        printf("mixed = %d\n", mixed);
        return 1;
    }
    return 0;
}
