// A pointer may lead to a global array.
#include "show.h"
#define N 200
static int g[2 * N], other[N];

static void from_global(int n, int *p)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: versioned: if p g
        p[i] = g[i] + 1;
}

int main(void)
{
    fill(g, 2 * N, 43);
    from_global(N, other);
    from_global(N, g + 1);
    show("g", g, 2 * N);
    show("other", other, N);
}
