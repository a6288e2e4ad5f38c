// Executes the golden case of elements that all iterations update: many iterations, few and none.
// also: --gangs 3
#include <stdio.h>
#include <stdlib.h>

#include "../../golden/cases/ptx/updates.c"

int main(void)
{
    double x[3000], y[100];
    for (int n = 0; n <= 3000; n = 7 * n + 6) {
        for (int i = 0; i < n; i++)
            x[i] = i * 37 % 11 * 0.5;
        y[0] = 1, y[97] = -1;
        int last;
#pragma acc data copy(y)
        totals(n, x, y);
        int all = count(n, 4, x, &last);
        printf("%d: %g %g, %d %x\n", n, y[0], y[97], all, (unsigned)last);
    }
    return 0;
}
