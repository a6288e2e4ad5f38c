// Three counters in one subscript, by two lengths known at run time.
#include "show.h"
#define N 8
#define M 9
#define L 10

static void add(int n, int m, int l, int *restrict p)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel
        for (int j = 0; j < m; j++) // expect: parallel
            for (int k = 0; k < l; k++) // expect: parallel
                p[(i * m + j) * l + k] += i * j - k;
}

int main(void)
{
    static int a[N * M * L];
    fill(a, N * M * L, 37);
    add(N, M, L, a);
    show("a", a, N * M * L);
}
