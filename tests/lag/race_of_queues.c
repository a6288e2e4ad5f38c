// An update on another queue than the region before it.
#include <stdio.h>

int main(void)
{
    int a[4] = {0};
#pragma acc data copy(a)
    {
#pragma acc parallel async(1)
    a[0] = 1;
#pragma acc update self(a) async(2)
#pragma acc wait
    }
    printf("%d\n", a[0]);
    return 0;
}
