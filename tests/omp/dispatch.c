// options: -fopenmp
// `dispatch` calls the variant that wants it, unless a condition says otherwise.
#include <omp.h>
#include <stdio.h>

static int offset(int x)
{
    return x + 1000;
}

static int scaled_there(int x)
{
    return 100 * x;
}

static int scaled_fast(int x)
{
    return 10 * x + (omp_get_default_device() == omp_get_initial_device() ? 1 : 0);
}

#pragma omp declare variant(scaled_there) match(construct = {dispatch}, user = {condition(0)})
#pragma omp declare variant(scaled_fast) match(construct = {dispatch})
static int scaled(int x)
{
    return x;
}

#pragma omp declare variant(offset) match(construct = {parallel})
static int shifted(int x)
{
    return x;
}

static int deferred(int n)
{
    int before = 0, after = 0, got = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(before) depend(out : before)
        before = n;
#pragma omp dispatch depend(in : before) nowait
        got = scaled(before);
        after = got;
    }
    return after / 10;
}

int main(void)
{
    int n = 4, y = 0;
#pragma omp dispatch
    y = scaled(n);
    printf("%d %d\n", y / 10, scaled(n));
#pragma omp dispatch device(omp_get_initial_device())
    y = scaled(scaled(n));
    printf("%d\n", y);
    for (int i = 0; i < 4; i++) {
        int a, b, c;
#pragma omp dispatch nocontext(i & 1)
        a = scaled(i + 1);
#pragma omp dispatch novariants(i > 1) nocontext(i == 1)
        b = scaled(i + 1);
#pragma omp dispatch novariants(1)
        c = scaled(i + 1);
        printf("%d %d %d\n", a > 9 ? a / 10 * 10 : a, b > 9 ? b / 10 * 10 : b, c);
    }
#pragma omp dispatch
    y = shifted(n);
    printf("%d %d\n", y, deferred(7));
    return 0;
}
