// Executes the golden case of loops of which each lane has few iterations.
// also: --gangs 3
#include <stdio.h>

#include "../../golden/cases/ptx/few.c"

static float x[9 * 300], y[9 * 300];

int main(void)
{
    for (int i = 0; i < 9 * 300; i++)
        x[i] = i * 37 % 1009;
#pragma acc data copyin(x) copyout(y)
    below_largest(9, x, y);
    int wrong = 0;
    for (int i = 0; i < 9; i++) {
        float most = 0;
        for (int j = 0; j < 300; j++)
            most = x[i * 300 + j] > most ? x[i * 300 + j] : most;
        for (int j = 0; j < 300; j++)
            wrong += y[i * 300 + j] != most - x[i * 300 + j];
    }
#pragma acc data copy(x)
    swapped(10, x);
    for (int i = 0; i < 10 * 256; i++)
        wrong += x[i] != (i / 256 * 256 + 255 - i % 256) * 37 % 1009;
    printf("%d wrong\n", wrong);
    return 0;
}
