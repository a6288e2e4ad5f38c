// A variable-length array as reduction variable.
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

int main(void)
{
    int wrong = test(1, 10) + test(7, 100) + test(64, 31) + test(5, 0);
    if (wrong)
        printf("%d wrong\n", wrong);
    return wrong != 0;
}
