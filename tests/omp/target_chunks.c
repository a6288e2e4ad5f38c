// options: -fopenmp
// One thread executes the iterations of a chunk in order, and one team those of a chunk of `dist_schedule`: each
// may use what the one before has left.
#include <stdio.h>

enum { N = 1003, CHUNK = 8 };
static int row[N];

static void start(void)
{
    for (int i = 0; i < N; i++)
        row[i] = 1;
}

static long sum(void)
{
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum = (sum * 3 + row[i]) % 1000003;
    return sum;
}

int main(void)
{
    int last = 0, step, total = 0, first = 7;
    start();
#pragma omp target parallel for schedule(static, CHUNK) map(tofrom : row)
    for (int i = 0; i < N; i++)
        if (i % CHUNK)
            row[i] = row[i - 1] + i;
    printf("%ld\n", sum());
    start();
#pragma omp target parallel for schedule(dynamic, CHUNK) map(tofrom : row) private(step) firstprivate(first) \
    lastprivate(last) reduction(+ : total)
    for (int i = N - 1; i >= 0; i--) {
        step = i % 5 + first;
        if ((N - 1 - i) % CHUNK)
            row[i] = row[i + 1] + step;
        last = i + step;
        total += i;
    }
    printf("%ld %d %d\n", sum(), last, total);
    start();
#pragma omp target teams distribute dist_schedule(static, CHUNK) map(tofrom : row) reduction(+ : total)
    for (int i = 0; i < N; i++) {
        if (i % CHUNK)
            row[i] = row[i - 1] + i;
        total++;
    }
    printf("%ld %d\n", sum(), total);
    start();
#pragma omp target teams distribute parallel for dist_schedule(static, 4 * CHUNK) schedule(static, CHUNK) map(tofrom : row)
    for (long i = 0; i < N; i++)
        if (i % CHUNK)
            row[i] = row[i - 1] + i;
    printf("%ld\n", sum());
    start();
#pragma omp target map(tofrom : row)
#pragma omp parallel
    {
#pragma omp for schedule(static, CHUNK)
        for (unsigned i = 0; i < N; i += 2)
            if (i / 2 % CHUNK)
                row[i] = row[i - 2] + i;
#pragma omp for schedule(monotonic : dynamic, 3)
        for (int i = 1; i < N; i++)
            if ((i - 1) % 3)
                row[i] += row[i - 1];
    }
    printf("%ld\n", sum());
    return 0;
}
