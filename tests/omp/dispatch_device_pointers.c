// options: -fopenmp
// A variant that `dispatch` calls is given the device's addresses of what it asks for; a pointer to what is not
// there, and one that a clause says is an address of the device already, stay as they are.
// also: --memory discrete
#include <omp.h>
#include <stdio.h>

static long add_device(long by, int *to, const int *from, int n)
{
#pragma omp target teams distribute parallel for is_device_ptr(to, from)
    for (int i = 0; i < n; i++)
        to[i] += from[i] * by;
    return n;
}

#pragma omp declare variant(add_device) match(construct={dispatch}) adjust_args(need_device_ptr: to, from) adjust_args(nothing: by)
static long add(long by, int *to, const int *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] += from[i] * by;
    return -n;
}

static int same_device(int *p, int *q) { return p == q; }

#pragma omp declare variant(same_device) match(construct={dispatch}) adjust_args(need_device_ptr: p)
static int same(int *p, int *q);
static int same(int *p, int *q) { return p != q; }

int main(void)
{
    int to[6] = {1, 2, 3, 4, 5, 6}, from[6] = {10, 20, 30, 40, 50, 60}, absent[2];
    long n;
#pragma omp target data map(tofrom: to) map(to: from)
    {
#pragma omp dispatch
        n = add(2, to, from, 6);
        // An address within what is there, and one that the clause names.
        int *there = omp_get_mapped_ptr(from, omp_get_default_device());
#pragma omp dispatch is_device_ptr(there) device(omp_get_default_device())
        add(100, to + 1, there, 2);
#pragma omp dispatch novariants(1)
        add(1, absent, absent, 0);
    }
    printf("%ld: %d %d %d %d %d %d\n", n, to[0], to[1], to[2], to[3], to[4], to[5]);
    int is_same;
#pragma omp dispatch
    is_same = same(absent, absent);
    printf("%d\n", is_same);
    return 0;
}
