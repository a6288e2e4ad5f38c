// options: -fopenmp
// `reduction(task, ...)` of loops and teams of threads: on a device tasks are executed where they stand.
#include <stdio.h>

enum { LENGTH = 100 };

static int values[LENGTH];

static void check(const char *what, int sum)
{
    printf("%s: %d\n", what, sum - LENGTH * (LENGTH - 1) / 2);
}

int main(void)
{
    for (int i = 0; i < LENGTH; i++)
        values[i] = i;

    int sum = 0;
#pragma omp parallel for reduction(task, + : sum)
    for (int i = 0; i < LENGTH; i++) {
#pragma omp task in_reduction(+ : sum)
        sum += values[i];
    }
    check("host", sum);

    sum = 0;
#pragma omp target parallel for reduction(task, + : sum) map(tofrom : sum)
    for (int i = 0; i < LENGTH; i++) {
#pragma omp task in_reduction(+ : sum)
        sum += values[i];
    }
    check("target parallel for", sum);

    sum = 0;
#pragma omp target map(tofrom : sum)
#pragma omp parallel for reduction(task, + : sum)
    for (int i = 0; i < LENGTH; i++) {
#pragma omp task in_reduction(+ : sum)
        sum += values[i];
    }
    check("parallel for in target", sum);

    sum = 0;
#pragma omp target map(tofrom : sum)
#pragma omp parallel reduction(task, + : sum)
    {
#pragma omp for
        for (int i = 0; i < LENGTH; i++)
            sum += values[i];
    }
    check("parallel in target", sum);

    sum = 0;
#pragma omp target teams distribute parallel for reduction(task, + : sum) map(tofrom : sum)
    for (int i = 0; i < LENGTH; i++)
        sum += values[i];
    check("teams", sum);
}
