// options: -fopenmp
// also: --gangs 3
// Directives and functions that are chosen by their context: constants, constructs around, the device, and conditions
// that only the run decides.
#include <omp.h>
#include <stdio.h>

enum { N = 40 };

static int plain(int x) { return x; }
static int in_parallel(int x) { return x + 100; }
static int in_target(int x) { return x + 200; }
static int large(int x) { return x + 1000; }

static int limit = 5;

#pragma omp declare variant(in_parallel) match(construct = {parallel})
#pragma omp declare variant(in_target) match(construct = {target}, device = {kind(any)})
#pragma omp declare variant(large) match(user = {condition(limit > 10)})
#pragma omp declare variant(plain) match(implementation = {vendor(nobody)})
static int chosen(int x) { return x + 1; }

static int twice(int x) { return 2 * x; }
#pragma omp begin declare variant match(implementation = {vendor("nobody")})
static int twice(int x) { return this is for nobody; }
#pragma omp end declare variant
#pragma omp begin declare variant match(user = {condition(1)})
static int twice(int x) { return 20 * x; }
#pragma omp end declare variant

static int threads_of(int n)
{
    int threads = 0;
#pragma omp metadirective when(user = {condition(n > 10)} : parallel num_threads(2)) default(single)
    {
#pragma omp atomic
        threads++;
    }
    return threads;
}

int main(void)
{
    int a[N], sum = 0;
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp metadirective when(device = {kind(fpga)} : nothing)                                                       \
    when(implementation = {vendor(nobody)} : parallel for) default(target teams distribute parallel for map(tofrom : a))
    for (int i = 0; i < N; i++)
        a[i] *= 2;
#pragma omp metadirective when(user = {condition(N == 40 && !0)} : parallel for reduction(+ : sum)) otherwise()
    for (int i = 0; i < N; i++)
        sum += a[i];
    printf("%d %d %d\n", sum, threads_of(4), threads_of(40));

    int device = -1;
#pragma omp target map(from : device)
    {
        int first = 0;
#pragma omp metadirective when(device = {kind(nohost)} : nothing) when(device = {arch("x86_64")} : nothing)
        first = chosen(1);
        device = first;
    }
    printf("%d\n", device);
#pragma omp parallel num_threads(1)
    printf("%d\n", chosen(1));
    printf("%d", chosen(1));
    limit = 11;
    printf(" %d\n", chosen(1));
    printf("%d\n", twice(3));

    int count = 0;
    if (sum > 0)
#pragma omp metadirective when(user = {condition(0)} : parallel) default(nothing)
        count++;
#pragma omp begin metadirective when(user = {condition(sum > 0)} : parallel for num_threads(2) reduction(+ : count))
    for (int i = 0; i < N; i++)
        count++;
#pragma omp end metadirective
    printf("%d\n", count);
    return 0;
}
