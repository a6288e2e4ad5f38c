// An update that does not depend on the kernel before it.
#include <stdio.h>

int main(void)
{
    int a[4] = {0};
#pragma omp target data map(tofrom : a)
    {
#pragma omp target nowait depend(out : a)
    a[0] = 1;
#pragma omp target update from(a) nowait
#pragma omp taskwait
    }
    printf("%d\n", a[0]);
    return 0;
}
