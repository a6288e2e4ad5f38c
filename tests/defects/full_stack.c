// expect: no stack is left for 1048576 bytes at 12

#include <stdio.h>

static int sums[64];

static void sum(int length)
{
    int own[length];
    own[0] = 0;
#pragma acc parallel copyout(sums)
#pragma acc loop gang worker vector private(own[0 : length])
    for (int row = 0; row < 64; row++) {
        for (int i = 0; i < length; i++) own[i] = i % (row + 1);
        sums[row] = own[row] + own[length - 1];
    }
}

int main(void)
{
    sum(1 << 18);
    printf("%d\n", sums[63]);
    return 0;
}
