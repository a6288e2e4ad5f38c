// A pointer that only a called function uses leads to nothing, or to what is not on the device, when the
// construct begins: it is copied as it is.
// options: --memory discrete
#include <stdio.h>
#define N 6

static const int *best;
static int *unused, count, a[N] = { 4, 9, 2, 9, 1, 5 }, rank[N];

static int __attribute__((noinline)) seen(const int *p)
{
    if (best == 0 || *p > *best)
        best = p;
    if (unused)
        count++;
    return *best;
}

static int run(void)
{
    int sum = 0;
#pragma acc serial copyout(rank) copyin(a)
    for (int i = 0; i < N; i++)
        rank[i] = seen(&a[i]);
    for (int i = 0; i < N; i++)
        sum = 10 * sum + rank[i];
    return sum;
}

int main(void)
{
    static int none;
    printf("%d %d\n", run(), count);
    best = 0;
    unused = &none;
    printf("%d %d\n", run(), count);
}
