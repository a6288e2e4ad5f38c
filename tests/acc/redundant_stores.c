// Code outside of loops over gangs is every gang's: all store the same, and read what they have stored.
#include <stdio.h>

int main(void)
{
    int a[600], b[600], offset = 0, scale = 1;
#pragma acc parallel num_gangs(6) copyout(a) copy(offset, scale)
    {
        offset = 5;
#pragma acc loop gang
        for (int i = 0; i < 600; i++)
            a[i] = offset + i;
        scale = offset * 2;
        offset = 5;
    }
#pragma acc parallel num_gangs(4) vector_length(64) copyin(a) copyout(b) copy(scale)
    {
        scale = 10;
#pragma acc loop gang vector
        for (int i = 0; i < 600; i++)
            b[i] = a[i] * scale;
    }
    printf("%d %d %d %d\n", a[7], b[7], offset, scale);
    return 0;
}
