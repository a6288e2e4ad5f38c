// Two tasks that map an array, each for itself: they meet in the host's memory.
#include <stdio.h>

int main(void)
{
    int a[4] = {0};
#pragma omp target nowait map(tofrom : a)
    a[0] = 1;
#pragma omp target nowait map(tofrom : a)
    a[0] += 2;
#pragma omp taskwait
    printf("%d\n", a[0]);
    return 0;
}
