// A sequential loop around a worker loop uses the same slots again and again, that of a reduction and those of the gang's own
// variables; each round must see the last one's end, and none the next one's beginning.
// also: --gangs 3
#include <stdio.h>

enum { GANGS = 4, ROUNDS = 50, N = 37 };
static int history[GANGS][ROUNDS], seen[GANGS][ROUNDS][N];

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
    // What single mode writes and the workers read, with nothing else between the rounds.
#pragma acc parallel loop gang copyout(seen) num_workers(8) vector_length(32)
    for (int g = 0; g < GANGS; g++) {
        int slot, pair[2];
#pragma acc loop seq
        for (int round = 0; round < ROUNDS; round++) {
            slot = round * 3 + g;
            pair[round % 2] = slot + 1;
#pragma acc loop worker
            for (int i = 0; i < N; i++)
                seen[g][round][i] = slot * 1000 + pair[round % 2] + i;
        }
    }
    for (int g = 0; g < GANGS; g++)
        for (int round = 0; round < ROUNDS; round++)
            for (int i = 0; i < N; i++)
                wrong += seen[g][round][i] != (round * 3 + g) * 1001 + 1 + i;

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
        printf("%d wrong\n", wrong);
    return wrong != 0;
}
