// A `return` from a loop of a function that the region calls.
#include "show.h"
#define N 100
static int b[N], r[N];

static int find(const int *p, int n, int x)
{
    for (int i = 0; i < n; i++)
        if (p[i] == x)
            return i;
    return -1;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        b[i] = (i * 37 + 5) % 150;
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: parallel
        r[i] = find(b, N, i);
    show("r", r, N);
}
