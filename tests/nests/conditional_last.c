// The values from the last iteration whose condition holds, or from before the loop.
#include "show.h"
#define N 200
static int a[N], b[N];

static void find(int n, int rest)
{
    int last = -1, at = -2;
    double half = -3;
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel: last last, last at, last half
        if (a[i] % 17 == rest) {
            last = b[i];
            at = i;
            half = a[i] / 2.0;
        }
    printf("%d %d %g\n", last, at, half);
}

static int rows(int n)
{
    int seen = -1;
#pragma acc kernels
    for (int j = 0; j < 5; j++)
        for (int i = n - 1; i >= j; i -= 2)
            if (a[i] > 100 * j)
                seen = i * 10 + j;
    return seen;
}

static int uses(int n)
{
    int seen = 3;
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: sequential: scalar seen
        if (a[i] > seen)
            seen = b[i];
    return seen;
}

static int some(int n)
{
    int seen = 3, at = -1;
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: sequential: scalar seen
        if (a[i] > 0) {
            at = i;
            if (b[i] > 0)
                seen = b[i];
        }
    return seen * 1000 + at;
}

int main(void)
{
    fill(a, N, 93);
    fill(b, N, 94);
    find(N, 3);
    find(N, 16);
    find(N, 18);
    find(0, 3);
    find(1, a[0] % 17);
    printf("%d %d %d %d\n", rows(N), rows(0), uses(N), some(N));
}
