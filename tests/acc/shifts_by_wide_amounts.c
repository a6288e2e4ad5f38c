// The amount of a shift may have more bits than what is shifted.
#include <stdio.h>

typedef __int128 wide;
typedef unsigned __int128 unsigned_wide;

int main(void)
{
    unsigned_wide five = 5;
    wide three = 3;
    int shifted, back, sum = 0;
    long far;
    unsigned char bytes;
#pragma acc serial copyin(five, three) copyout(shifted, back, far, bytes)
    {
        shifted = 3 << (five & 31);
        back = -1000 >> three;
        far = 3l << (five * 9);
        bytes = 255;
        bytes >>= three;
    }
    printf("%d %d %lx %d\n", shifted, back, far, bytes);
#pragma acc parallel loop reduction(+ : sum)
    for (int i = 0; i < 20; i++) {
        wide amount = (wide)1 << 100 | i;
        sum += (i << (amount & 7)) + (int)(amount >> 99) + (i * 1000u >> (unsigned_wide)(amount & 15));
    }
    printf("%d\n", sum);
    return 0;
}
