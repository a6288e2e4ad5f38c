// The private copy starts at the identity, and is combined with the original at the end: 123 + 23.
// also: --gangs 3
#include <stdio.h>

int main(void)
{
    int x = 123, y = 5, z = 7, m = 50;
#pragma acc parallel num_gangs(1) reduction(+:x)
    {
        x = 23;
    }
#pragma acc parallel num_gangs(1) reduction(*:y)
    {
        y = 4;
    }
#pragma acc parallel num_gangs(1) reduction(max:m)
    {
        m = 20;
    }
    // The same on a loop: every iteration assigns.
#pragma acc parallel loop gang num_gangs(1) reduction(+:z)
    for (int i = 0; i < 1; i++)
        z = 100;
    if (x != 146 || y != 20 || z != 107 || m != 50) {
        printf("x = %d, y = %d, z = %d, m = %d\n", x, y, z, m);
        return 1;
    }
    return 0;
}
