// options: -fopenmp
// A team of one thread executes iterations in order: each may use what the one before has left. And
// `sections` of a device are executed by one thread, with copies of their own for reductions.
#include <stdio.h>

enum { N = 40 };
static int row[N];

static int last(void)
{
    int value = row[N - 1];
    for (int i = 0; i < N; i++)
        row[i] = i == 0;
    return value;
}

#pragma omp declare target
static int in_function(int x)
{
    int sum = 10;
#pragma omp parallel sections reduction(+ : sum)
    {
        sum += x;
#pragma omp section
        sum += 2 * x;
    }
    return sum;
}
#pragma omp end declare target

int main(void)
{
    last();
#pragma omp target parallel for num_threads(1) map(tofrom : row)
    for (int i = 1; i < N; i++)
        row[i] = row[i - 1] + i;
    printf("%d\n", last());
#pragma omp target parallel for if (parallel : 0) map(tofrom : row)
    for (int i = 1; i < N; i++)
        row[i] = row[i - 1] + 2 * i;
    printf("%d\n", last());
#pragma omp target parallel for simd num_threads(1) safelen(1) map(tofrom : row)
    for (int i = 1; i < N; i++)
        row[i] = row[i - 1] + 3 * i;
    printf("%d\n", last());
#pragma omp target parallel num_threads(1) map(tofrom : row)
#pragma omp for
    for (int i = 1; i < N; i++)
        row[i] = row[i - 1] + 4 * i;
    printf("%d\n", last());
#pragma omp target thread_limit(1) map(tofrom : row)
#pragma omp parallel for
    for (int i = 1; i < N; i++)
        row[i] = row[i - 1] + 5 * i;
    printf("%d\n", last());
    int sum = 0;
#pragma omp target parallel for num_threads(1) map(tofrom : sum)
    for (int i = 0; i < 100; i++)
        sum += i;
    printf("%d\n", sum);

    int a = 0, b = 0, c = 5, d = 0, result = 0;
#pragma omp target map(tofrom : a, b, c, d, result)
    {
#pragma omp sections lastprivate(d)
        {
            a += 1;
#pragma omp section
            {
                b += 2;
                d = 1;
            }
#pragma omp section
            d = 2;
        }
#pragma omp parallel sections reduction(+ : c)
        {
#pragma omp section
            c = 10;
#pragma omp section
            c += 20;
        }
        result = in_function(7);
    }
    printf("%d %d %d %d %d\n", a, b, c, d, result);
    return 0;
}
