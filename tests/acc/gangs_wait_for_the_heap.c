// Arrays of variable length that the threads of a gang share are on the device's heap. All gangs together want more than it has, so
// that some wait until others have ended.
// also: --device sim --divergence structured --seed 6

#include <stdio.h>

enum { GANGS = 14, FEW = 100 };

static long sums[GANGS];

static void sum(int length)
{
    long large[length];
#pragma acc parallel loop gang num_gangs(GANGS) private(large[0:length]) copyout(sums)
    for (int gang = 0; gang < GANGS; gang++) {
        int last = length - FEW;
#pragma acc loop worker vector
        for (int i = 0; i < FEW; i++) large[last + i] = gang * i;
        long total = 0;
#pragma acc loop worker vector reduction(+ : total)
        for (int i = 0; i < FEW; i++) total += large[last + i];
        sums[gang] = total;
    }
}

int main(void)
{
    sum(1 << 19);
    int wrong = 0;
    for (int gang = 0; gang < GANGS; gang++) wrong += sums[gang] != gang * (FEW * (FEW - 1) / 2);
    printf("%d wrong\n", wrong);
    return wrong;
}
