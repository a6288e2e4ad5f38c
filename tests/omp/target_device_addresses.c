// options: -fopenmp
// Device addresses of variables of which the device has a part: the variable lies where the part's place says.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int a[20], m[4][5] = { { 0 } }, *p = malloc(20 * sizeof *p);
    for (int i = 0; i < 20; i++)
        a[i] = p[i] = i;

#pragma omp target data map(tofrom : a[10:5]) use_device_addr(a[10:5])
    {
#pragma omp target has_device_addr(a[10:5])
        a[12] = -9;
    }
    printf("%d %d\n", a[12], a[13]);
#pragma omp target data map(tofrom : a) use_device_addr(a[10:5])
    {
#pragma omp target has_device_addr(a)
        a[3] = -8;
    }
    printf("%d %d\n", a[3], a[4]);
#pragma omp target data map(tofrom : m[1:2]) use_device_addr(m[1:2])
    {
#pragma omp target has_device_addr(m)
        m[2][3] = 8;
    }
    printf("%d\n", m[2][3]);

    // A section through a pointer stands for the pointer, here and there.
#pragma omp target data map(tofrom : p[4:6]) use_device_addr(p[4:6])
    {
#pragma omp target is_device_ptr(p)
        p[5] = -1;
    }
#pragma omp target data map(tofrom : p[0:20]) use_device_addr(p[4:6])
    {
#pragma omp target has_device_addr(p[4:6])
        p[6] = -2;
        int *q = p + 7;
#pragma omp target is_device_ptr(q)
        *q = -3;
    }
    printf("%d %d %d %d\n", p[4], p[5], p[6], p[7]);
    free(p);
    return 0;
}
