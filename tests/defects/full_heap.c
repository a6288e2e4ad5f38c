// expect: Assertion `the heap has room for what threads share at 13

#include <stdio.h>

static double last;

static void far(int length)
{
    double large[length];
    large[length - 1] = 0;
#pragma acc parallel num_gangs(1) copy(last)
    {
#pragma acc loop gang private(large[0 : length])
        for (int turn = 0; turn < 1; turn++) {
#pragma acc loop worker vector
            for (int i = 0; i < 100; i++) large[length - 100 + i] = i;
            last = large[length - 1];
        }
    }
}

int main(void)
{
    far(10000000);
    printf("%g\n", last);
    return 0;
}
