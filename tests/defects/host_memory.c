// Two constructs on two queues, each with a copy of its own: they meet in the host's memory.
// expect: `parallel` copies `a` to the device and does not wait for queue 1, which copies it to the host at 14
#include <stdio.h>

int main(void)
{
    int a[8];
    for (int i = 0; i < 8; i++)
        a[i] = i;
#pragma acc parallel loop copy(a) async(1)
    for (int i = 0; i < 8; i++)
        a[i]++;

#pragma acc parallel loop copy(a) async(2)
    for (int i = 0; i < 8; i++)
        a[i] *= 2;
#pragma acc wait
    printf("%d\n", a[7]);
    return 0;
}
