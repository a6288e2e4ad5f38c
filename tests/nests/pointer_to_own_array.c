// An array of the function that a pointer leads to, which is set before the construct: the array is none of the
// region's own.
#include "show.h"
#define N 80

int main(void)
{
    int own[N], rows[8][10], *a = own;
    int (*row)[10] = rows;
    fill(a, N, 78);
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: parallel
        a[i] -= i;
#pragma acc kernels
    for (int i = 0; i < 8; i++) // expect: parallel
        for (int j = 0; j < 10; j++) // expect: parallel
            row[i][j] = a[10 * i + j];
#pragma acc kernels
    {
        int inner[N], *p = inner;
        for (int i = 0; i < N; i++) // expect: sequential: region inner
            p[i] = 2 * a[i];
        for (int i = 0; i < N; i++) // expect: parallel
            a[i] = p[N - 1 - i];
    }
    show("a", a, N);
    show("rows", rows[0], N);
}
