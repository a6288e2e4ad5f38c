// Elements that a gang's iteration declares and its lanes assign are one for all of them, also where functions stand in
// the place of their calls.
#include <stdio.h>

static float twice(float x) { return 2 * x; }

int main(void)
{
    float x[64], y[10], z[10];
    for (int i = 0; i < 64; i++)
        x[i] = i + 1;
#pragma acc parallel loop gang copyin(x) copyout(y, z)
    for (int i = 0; i < 10; i++) {
        float own[2];
        own[0] = 0;
        own[1] = twice(i);
#pragma acc loop vector
        for (int k = 0; k < 64; k++)
            if (k == 5 + i)
                own[0] = twice(x[k]);
        y[i] = own[0];
        z[i] = own[1];
    }
    for (int i = 0; i < 10; i++)
        printf("%g %g\n", y[i], z[i]);
    return 0;
}
