/* Sums of the rows of a matrix of n floats, and their total: a reduction inside another. */
#include "timing.h"

float *a, *rows;
enum { COLUMNS = 1000 };

void setup(long n)
{
    long r = n / COLUMNS + 1;
    a = array(r * COLUMNS, sizeof *a);
    rows = array(r, sizeof *rows);
    for (long i = 0; i < r * COLUMNS; i++)
        a[i] = i % 9 - 4;
}

double kernel(long n)
{
    long r = n / COLUMNS + 1;
    double total = 0;
#pragma acc parallel loop gang reduction(+:total) copyin(a[0:r * COLUMNS]) copyout(rows[0:r])
    for (long i = 0; i < r; i++) {
        float sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (long j = 0; j < COLUMNS; j++)
            sum += a[i * COLUMNS + j];
        rows[i] = sum;
        total += sum;
    }
    return total;
}
