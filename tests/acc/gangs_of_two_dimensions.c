// Loops over two dimensions of gangs that reduce the same variables: threads that execute gangs at once
// combine their parts, whichever dimension the loop names.
// also: --gangs 3
#include <complex.h>
#include <stdio.h>

static int round_is_wrong(void)
{
    float sum = 3, sum_wanted = 3;
    int most = 0, most_wanted = 0;
    short any = 0;
    double _Complex turned = 2 - 3 * _Complex_I, turned_wanted = turned;
#pragma acc parallel loop num_gangs(5) gang(dim : 2) reduction(+ : sum, turned) \
    reduction(max : most) reduction(|| : any)
    for (int i = 0; i < 10; i++)
#pragma acc loop gang(dim : 1) reduction(+ : sum, turned) reduction(max : most) reduction(|| : any)
        for (int j = 0; j < 2000; j++) {
            sum += i * j % 4;
            turned += i + j * _Complex_I;
            most = most < i * j ? i * j : most;
            any = any || i == j;
        }
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 2000; j++) {
            sum_wanted += i * j % 4;
            turned_wanted += i + j * _Complex_I;
            most_wanted = most_wanted < i * j ? i * j : most_wanted;
        }
    return sum != sum_wanted || most != most_wanted || any != 1 || turned != turned_wanted;
}

int main(void)
{
    int wrong = 0;
    for (int round = 0; round < 20; round++)
        wrong += round_is_wrong();
    printf("%d\n", wrong);
    return 0;
}
