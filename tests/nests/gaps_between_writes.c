// Writes that leave elements out: what a construct does not write keeps its value, so that it is copied in, too.
#include "show.h"
#include <stdlib.h>

static void parity(int n, int *restrict d, const int *restrict a)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: sequential: unknown-subscript
        d[(i & 1) * 3] = a[i];
}

static void remainder_of(int n, int *restrict d, const int *restrict a)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: sequential: unknown-subscript
        d[i % 3 * 2] = a[i];
}

static void halves(int n, int *restrict d, const int *restrict a)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: sequential: unknown-subscript
        d[i / 2 * 2] = a[i];
}

static void every_second(int n, int *restrict d, const int *restrict a)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel
        d[2 * i] = a[i];
}

int main(void)
{
    for (int n = 1; n < 9; n++) {
        int *a = malloc(n * sizeof *a), *d = malloc(20 * sizeof *d);
        fill(a, n, 20 + n);
        fill(d, 20, 40 + n);
        parity(n, d, a);
        show("parity", d, 20);
        remainder_of(n, d + 1, a);
        show("remainder", d, 20);
        halves(n, d + 2, a);
        show("halves", d, 20);
        every_second(n, d + 3, a);
        show("every second", d, 20);
        free(a), free(d);
    }
}
