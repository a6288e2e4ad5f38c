// A number of gangs that the program asks for bounds the one that the command line configures; serial has one gang.
// also: --gangs 3
#include <stdio.h>

int main(void)
{
    int one = 0, serial = 0, sum = 0;
#pragma acc parallel num_gangs(1) copy(one)
    {
        one++;
    }
#pragma acc serial copy(serial)
    {
        serial++;
    }
    int asked = 1;
#pragma acc parallel loop gang num_gangs(asked) reduction(+ : sum)
    for (int i = 0; i < 10; i++)
        sum += i;
    printf("%d %d %d\n", one, serial, sum);
    return 0;
}
