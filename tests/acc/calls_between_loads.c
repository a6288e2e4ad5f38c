// Loads on both sides of calls: of functions that write nothing, of those that write what they are given, and of
// those that write or wait elsewhere.
#include <math.h>
#include <stdio.h>

#define N 100

static int seen;
#pragma acc declare create(seen)

#pragma acc routine seq
static __attribute__((noinline)) float twice(float x)
{
    float kept[2] = {x, x};
    for (int i = 0; i < 2; i++)
        kept[i] += kept[1 - i] * (i == 0);
    return kept[0];
}

#pragma acc routine seq
static __attribute__((noinline)) void set(float *place, float x)
{
    *place = x;
}

#pragma acc routine seq
static __attribute__((noinline)) int mark(int x)
{
    seen = x;
    return x + 1;
}

#pragma acc routine seq
static __attribute__((noinline)) int count(int *counter)
{
    int before;
#pragma acc atomic capture
    before = (*counter)++;
    return before;
}

static void work(int n, const float *restrict x, float *restrict y, float *z)
{
#pragma acc parallel loop copyin(x[0:n]) copy(y[0:n], z[0:n])
    for (int i = 0; i < n; i++) {
        float first = x[i] + y[i];
        float between = twice(x[i]) + sinf(x[i] * 1e6f);
        set(&y[i], first + 1);
        z[i] = y[i] + x[i];
        set(&z[i], z[i] + between);
        y[i] += z[i] + x[i];
    }
}

int main(void)
{
    float x[N], y[N], z[N];
    for (int i = 0; i < N; i++)
        x[i] = i % 7 + 1, y[i] = i, z[i] = 0;
    work(N, x, y, z);
    double sum = 0, other = 0;
    for (int i = 0; i < N; i++)
        sum += y[i], other += z[i] - sinf(x[i] * 1e6f);
    printf("%.3f %.3f\n", sum - 0, other);
    int a = 0, b = 0, counter = 0, rest = 0;
#pragma acc serial copy(a, b)
    {
        seen = 5;
        a = seen;
        b = mark(8) + seen;
    }
    printf("%d %d\n", a, b);
#pragma acc parallel loop copy(counter) reduction(+ : rest)
    for (int i = 0; i < N; i++) {
        int before = count(&counter);
        rest += before >= 0 && before < N;
    }
    printf("%d %d\n", counter, rest);
    return 0;
}
