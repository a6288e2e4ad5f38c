// A thread whose calls go round in a circle has little stack; an array of variable length that is larger than all of it has its place
// nevertheless.

#include <stdio.h>

#pragma acc routine seq
static int depth(int n) { return n < 2 ? n : 1 + depth(n - 1); }

#pragma acc routine seq
static int last(int length)
{
    int own[length];
    for (int i = 0; i < length; i++) own[i] = i;
    return own[length - 1] + depth(length & 7);
}

int main(void)
{
    int values[40];
#pragma acc parallel loop copyout(values)
    for (int i = 0; i < 40; i++) values[i] = last(6000 + i);
    int wrong = 0;
    for (int i = 0; i < 40; i++) wrong += values[i] != 5999 + i + ((6000 + i) & 7);
    printf("%d wrong\n", wrong);
    return wrong;
}
