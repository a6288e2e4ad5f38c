// options: -fopenmp -w
#include <stdio.h>

// `target` inside of `target`, and in a function that the host and devices call: a device executes it in place, the host
// starts it. Data directives have no effect on a device.

#pragma omp declare target
int steps;

static int twice(int n)
{
    int result = 0;
#pragma omp target map(tofrom : result)
    {
        result = 2 * n;
        n = -1;
    }
    return result + n;
}

static int sum(const int *values, int count)
{
    int total = 0, last = 0;
#pragma omp target data map(to : values[0 : count])
    {
#pragma omp target teams distribute parallel for reduction(+ : total) lastprivate(last)
        for (int i = 0; i < count; i++) {
            total += values[i];
            last = i;
        }
    }
    return 100 * total + last;
}

static void count(void)
{
#pragma omp target update to(steps)
#pragma omp target
    steps++;
#pragma omp target update from(steps)
}
#pragma omp end declare target

int main(void)
{
    int values[6] = {1, 2, 3, 4, 5, 6}, out[6] = {0}, first = 3, shared = 0, kept = 1;
#pragma omp target map(tofrom : out, shared) map(to : values)
    {
#pragma omp target map(tofrom : shared) firstprivate(first)
        {
            shared = ++first;
            kept = 5;
        }
#pragma omp target enter data map(to : values)
#pragma omp target teams
#pragma omp distribute parallel for collapse(2)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 3; j++)
                out[3 * i + j] = values[3 * i + j] + first + kept;
#pragma omp target parallel for schedule(static, first) defaultmap(tofrom : scalar)
        for (int i = 0; i < 3; i++)
            shared += i;
        shared += twice(10) + sum(values, 6);
        count();
    }
#pragma omp target update from(steps)
    printf("%d %d: %d %d, %d\n", out[0], out[5], first, shared, steps);
    count();
    printf("%d %d %d\n", twice(4), sum(values, 3), steps);

    int each[4];
#pragma omp target teams distribute parallel for map(from : each)
    for (int i = 0; i < 4; i++) {
        int own = i;
#pragma omp target map(tofrom : own)
        own = twice(own);
        each[i] = own;
    }
    printf("%d %d %d %d\n", each[0], each[1], each[2], each[3]);
    return 0;
}
