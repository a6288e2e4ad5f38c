// options: -fopenmp
// `distribute` in functions that all teams call: each iteration is executed once.
#include <omp.h>
#include <stdio.h>

enum { N = 120, TEAMS = 4 };

#pragma omp declare target
static long total;

static void alone(int *a, int n)
{
#pragma omp distribute
    for (int i = 0; i < n; i++)
        a[i] += 1;
}

static void nest(int *a, int n)
{
#pragma omp distribute
    for (int i = 0; i < n; i += 10) {
#pragma omp parallel for
        for (int j = i; j < i + 10; j++)
            a[j] += 2;
    }
}

static void both(int *a, int n)
{
#pragma omp distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] += 3;
}

static void sum(const int *a, int n)
{
#pragma omp distribute parallel for simd reduction(+ : total) num_threads(20)
    for (int i = 0; i < n; i++)
        total += a[i];
}

static int number(void)
{
    return omp_get_team_num() * 10 + omp_get_num_teams();
}
#pragma omp end declare target

static void chunks(int *a, int n)
{
#pragma omp distribute parallel for dist_schedule(static, 8) schedule(static, 2)
    for (int i = 0; i < n; i++)
        a[i] += 4;
}

static int a[N], numbers[TEAMS];

static void show(const char *what)
{
    int sum = 0;
    for (int i = 0; i < N; i++) {
        sum += a[i] * (i % 7);
        a[i] = 0;
    }
    printf("%s %d\n", what, sum);
}

int main(void)
{
#pragma omp target teams num_teams(TEAMS) map(tofrom : a)
    alone(a, N);
    show("distribute");
#pragma omp target teams num_teams(TEAMS) map(tofrom : a)
    nest(a, N);
    show("distribute, parallel for");
#pragma omp target teams num_teams(TEAMS) map(tofrom : a)
    both(a, N);
    show("distribute parallel for");
#pragma omp target teams num_teams(TEAMS) map(tofrom : a)
    chunks(a, N);
    show("chunks");
#pragma omp teams num_teams(TEAMS)
    both(a, N);
    show("host");
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp target teams num_teams(TEAMS) map(tofrom : a)
    sum(a, N);
#pragma omp target update from(total)
    printf("%ld\n", total);
#pragma omp target teams num_teams(TEAMS) map(tofrom : numbers)
    numbers[omp_get_team_num()] = number() % 10 == omp_get_num_teams() && number() / 10 == omp_get_team_num();
    printf("%d\n", numbers[0]);
}
