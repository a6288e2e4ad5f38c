// A queue that lags comes to the mistake when the host waits.
#include <stdio.h>

int main(void)
{
    int a[8] = {0};
#pragma acc enter data copyin(a[0:4])

#pragma acc parallel loop async(1) present(a[0:4])
    for (int i = 0; i < 8; i++)
        a[i] = i;
    printf("the host goes on\n");
    fflush(stdout);
#pragma acc wait
    return 0;
}
