// Executes the golden case of a declared reduction.
// options: -fopenmp
#include <stdio.h>

#include "../../golden/cases/reductions/declared.c"

int main(void)
{
    static double a[5000];
    for (int i = 0; i < 5000; i++)
        a[i] = (i * 7919 + 13) % 10007;
    for (int n = 0; n <= 5000; n += 1250) {
        struct best found = least(n, a);
        printf("%d %g\n", found.index, found.value);
    }
    return 0;
}
