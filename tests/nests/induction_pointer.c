// Pointers that move along.
#include "show.h"
#define N 200
static int a[N], b[N];

static void copy(int n, int *restrict p, const int *restrict q)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel
        *p++ = *q++ * 3;
}

static void fill_with(int *first, int *end, int value)
{
#pragma acc kernels copy(first[0:end - first])
    for (int *p = first; p < end; p++) // expect: parallel
        *p += value;
}

int main(void)
{
    fill(b, N, 59);
    copy(N, a, b);
    fill_with(a, a + N, 12);
    show("a", a, N);
}
