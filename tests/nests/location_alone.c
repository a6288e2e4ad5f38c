// The place of a minimum or maximum alone: the element is read again where the place leads.
#include "show.h"
#include <stdlib.h>
#define N 3000
static int a[N];
struct point {
    int key, rest;
};

static int first_of(int n, const int *x, int best)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel: last best
        if (x[i] < x[best])
            best = i;
    return best;
}

static int outer_counter(int n, const int *x)
{
    int best = 0, i;
#pragma acc kernels
    for (i = n - 1; i > 0; i--) // expect: parallel: last best
        if (x[best] <= x[i])
            best = i;
    return 10000 * best + i;
}

static long by_members(long n, const struct point *p)
{
    long low = n / 2, high = 3;
#pragma acc kernels
    for (long i = 0; i < n; i += 3) { // expect: parallel: last low, last high
        if (p[i].key < p[low].key)
            low = i;
        if (p[i].key > p[high].key)
            high = i;
    }
    return low * 10000 + high;
}

static int of_others(int n, int *x)
{
    int best = 0;
#pragma acc kernels copy(x[0 : n])
    for (int i = 1; i < n; i++) { // expect: sequential: scalar best
        if (x[i] > x[best])
            best = i;
        x[i] += 1;
    }
    return best;
}

static int of_the_next(int n, const int *x)
{
    int best = 0;
#pragma acc kernels copyin(x[0 : n])
    for (int i = 0; i < n - 1; i++) // expect: sequential: scalar best
        if (x[i] > x[best])
            best = i + 1;
    return best;
}

int main(void)
{
    fill(a, N, 91);
    int *x = malloc(N * sizeof *x), none = first_of(0, 0, 7);
    struct point *p = malloc(N * sizeof *p);
    for (int i = 0; i < N; i++) {
        x[i] = a[i] / 16;
        p[i].key = a[N - 1 - i] / 16;
        p[i].rest = i;
    }
    int one = first_of(N, x, 0), two = first_of(N - 10, x + 10, N - 11), three = first_of(1, x, 5);
    printf("%d: %d %d %d\n", none, one, two, three);
    printf("%d %d\n", outer_counter(N, x), outer_counter(1, x));
    printf("%ld %ld\n", by_members(N, p), by_members(1, p));
    int of_these = of_others(N, x);
    printf("%d %d\n", of_these, of_the_next(N, x));
    show("x", x, N);
    free(p);
    free(x);
}
