// What is marked `nohost` does not exist on the host, whatever its body holds.
#include <stdio.h>

#pragma acc routine seq nohost
static int device_only(int n)
{
    __asm__("this is no host's instruction");
    return n;
}

#pragma acc routine seq nohost
__attribute__((weak)) int maybe(int n);
int maybe(int n) { return n + 1; }

int main(void)
{
    int x = 1;
#pragma acc serial copy(x)
    {
        if (maybe)
            x = maybe(x);
        else
            x = 40;
        if (x < 0)
            x = device_only(x);
    }
    printf("%d\n", x);
    return 0;
}
