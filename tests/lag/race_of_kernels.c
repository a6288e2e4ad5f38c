// Two kernels on queues of their own, where the second one reads what the first one writes.
#include <stdio.h>

int main(void)
{
    int a[4] = {0}, b[4] = {0};
#pragma omp target data map(tofrom : a, b)
    {
#pragma omp target nowait depend(out : a)
    a[0] = 1;
    // The clause names another variable.
#pragma omp target nowait depend(inout : b)
    b[0] = a[0];
#pragma omp taskwait
    }
    printf("%d\n", b[0]);
    return 0;
}
