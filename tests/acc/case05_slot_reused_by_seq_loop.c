// A sequential loop around a worker loop uses the same slot again and again; each round must see the last one's end.
// also: --gangs 3
#include <stdio.h>

enum { GANGS = 4, ROUNDS = 50, N = 37 };
static int history[GANGS][ROUNDS];

int main(void)
{
    int wrong = 0;
#pragma acc parallel loop gang copyout(history) num_workers(8) vector_length(32)
    for (int g = 0; g < GANGS; g++) {
        int carried = g;
#pragma acc loop seq
        for (int round = 0; round < ROUNDS; round++) {
            int sum = 0;
#pragma acc loop worker reduction(+:sum)
            for (int i = 0; i < N; i++)
                sum += (i + carried) % 5;
            carried = sum % 1000 + round;
            history[g][round] = carried;
        }
    }
    for (int g = 0; g < GANGS; g++) {
        int carried = g;
        for (int round = 0; round < ROUNDS; round++) {
            int sum = 0;
            for (int i = 0; i < N; i++)
                sum += (i + carried) % 5;
            carried = sum % 1000 + round;
            wrong += history[g][round] != carried;
        }
    }
    if (wrong)
        printf("%d of %d rounds wrong\n", wrong, GANGS * ROUNDS);
    return wrong != 0;
}
