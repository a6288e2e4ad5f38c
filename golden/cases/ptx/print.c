//! golden printf.ir: ir --target ptx --stage printf --no-positions
/* A width that is a constant, a precision that is none: the format is put together where it is printed. */
#include <stdio.h>

void print(int n, int digits, const double *x)
{
#pragma acc serial copyin(x[0 : n])
    {
        printf("%*d values\n", 4, n);
        for (int i = 0; i < n; i++)
            printf("%-*hhd%.*f\n", 5, 300 + i, digits, x[i]);
    }
}
