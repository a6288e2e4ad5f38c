// Steps that are sums of numbers, as passes of a prefix sum have them.
#include "show.h"
#define N 256
static int a[N], b[N];

static void up(int n, int d)
{
#pragma acc kernels
    for (int i = 0; i < n; i += 2 * d) // expect: parallel
        a[i + 2 * d - 1] += a[i + d - 1];
}

static void down(int n, int d)
{
#pragma acc kernels
    for (int i = 0; i < n; i += 2 * d) { // expect: parallel
        int t = a[i + d - 1];
        a[i + d - 1] = a[i + 2 * d - 1];
        a[i + 2 * d - 1] += t;
    }
}

static int last(int n, int d, int e)
{
    int i;
#pragma acc kernels
    for (i = 1; i < n; i += d * e + 1) // expect: parallel
        b[i] = a[i] + i;
    return i;
}

/* What an iteration writes the next one reads. */
static void next(int n, int d)
{
#pragma acc kernels
    for (int i = 2 * d; i < n; i += 2 * d) // expect: sequential: carried a, distance 1
        a[i] = a[i - 2 * d] + 1;
}

int main(void)
{
    fill(a, N, 11);
    fill(b, N, 12);
    for (int d = 1; d < N; d *= 2)
        up(N, d);
    a[N - 1] = 0;
    for (int d = N / 2; d > 0; d /= 2)
        down(N, d);
    show("prefix sums", a, N);
    int i = last(N, 2, 3);
    show("i", &i, 1);
    i = last(1, 2, 3);
    show("i", &i, 1);
    next(N, 3);
    show("a", a, N);
    show("b", b, N);
}
