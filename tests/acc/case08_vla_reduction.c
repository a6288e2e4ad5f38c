// A variable-length array as reduction variable, of the program and of a gang.
// also: --gangs 3
#include <stdio.h>

static int test(int bins, int n)
{
    int count[bins], wrong = 0;
    for (int b = 0; b < bins; b++)
        count[b] = b;
#pragma acc parallel loop reduction(+:count) copy(count)
    for (int i = 0; i < n; i++)
        count[i % bins] += 1;
    for (int b = 0; b < bins; b++)
        wrong += count[b] != b + n / bins + (b < n % bins);
    return wrong;
}

static int of_gangs(int bins, int n)
{
    int out[3][bins], wrong = 0;
#pragma acc parallel loop gang copyout(out) num_workers(4) vector_length(32)
    for (int g = 0; g < 3; g++) {
        int count[bins];
        for (int b = 0; b < bins; b++)
            count[b] = g;
#pragma acc loop worker reduction(+:count)
        for (int i = 0; i < n; i++)
            count[i % bins] += 1;
#pragma acc loop vector reduction(+:count)
        for (int i = 0; i < n; i++)
            count[i % bins] += 2;
        for (int b = 0; b < bins; b++)
            out[g][b] = count[b];
    }
    for (int g = 0; g < 3; g++)
        for (int b = 0; b < bins; b++)
            wrong += out[g][b] != g + 3 * (n / bins + (b < n % bins));
    return wrong;
}

int main(void)
{
    int wrong = test(1, 10) + test(7, 100) + test(64, 31) + test(5, 0);
    wrong += of_gangs(1, 10) + of_gangs(7, 100) + of_gangs(33, 31) + of_gangs(5, 0);
    if (wrong)
        printf("%d wrong\n", wrong);
    return wrong != 0;
}
