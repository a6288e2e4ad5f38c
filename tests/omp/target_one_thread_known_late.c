// options: -fopenmp
// Only when it runs does a team turn out to have one thread, which executes iterations in order: each may use
// what the one before has left. So may the iterations of a `distribute` of which there is one team.
#include <stdio.h>

enum { N = 40, ROWS = 12, COLUMNS = 50 };
static int row[N], grid[ROWS][COLUMNS];

static int last(void)
{
    int value = row[N - 1];
    for (int i = 0; i < N; i++)
        row[i] = i == 0;
    return value;
}

static int known_late(int n)
{
    return n;
}

#define CHAIN(factor)                                                                                        \
    for (int i = 1; i < N; i++)                                                                              \
        row[i] = row[i - 1] + (factor) * i

int main(int argc, char **argv)
{
    int one = known_late(argc > 0), no = known_late(argc > 99);
    last();
#pragma omp target parallel for num_threads(one) map(tofrom : row)
    CHAIN(1);
    printf("%d\n", last());
#pragma omp target parallel for if (parallel : no) map(tofrom : row)
    CHAIN(2);
    printf("%d\n", last());
#pragma omp target teams distribute parallel for num_teams(1) if (parallel : no) map(tofrom : row)
    CHAIN(3);
    printf("%d\n", last());
#pragma omp target teams distribute parallel for num_teams(one) num_threads(one) map(tofrom : row)
    CHAIN(4);
    printf("%d\n", last());
#pragma omp target teams distribute parallel for num_teams(one) thread_limit(one) map(tofrom : row)
    CHAIN(5);
    printf("%d\n", last());
#pragma omp target teams distribute parallel for num_teams(1) num_threads(1) map(tofrom : row)
    CHAIN(6);
    printf("%d\n", last());
#pragma omp target map(tofrom : row)
#pragma omp parallel for num_threads(one)
    CHAIN(7);
    printf("%d\n", last());
#pragma omp target map(tofrom : row)
#pragma omp parallel for if (no)
    CHAIN(8);
    printf("%d\n", last());
#pragma omp target map(tofrom : row) thread_limit(one)
#pragma omp parallel
#pragma omp for
    CHAIN(9);
    printf("%d\n", last());
#pragma omp target map(tofrom : row)
#pragma omp teams num_teams(1) thread_limit(one)
#pragma omp parallel
#pragma omp for
    CHAIN(10);
    printf("%d\n", last());
#pragma omp target teams distribute map(tofrom : row) num_teams(1)
    CHAIN(11);
    printf("%d\n", last());
#pragma omp target map(tofrom : row)
#pragma omp teams distribute num_teams(one)
    CHAIN(12);
    printf("%d\n", last());
#pragma omp target parallel for simd num_threads(one) safelen(1) map(tofrom : row)
    CHAIN(13);
    printf("%d\n", last());

    int sum = 0;
#pragma omp target parallel for num_threads(one) map(tofrom : sum)
    for (int i = 0; i < 100; i++)
        sum += i;
    printf("%d\n", sum);

#pragma omp target parallel for num_threads(one) collapse(2) map(tofrom : grid)
    for (int i = 1; i < ROWS; i++)
        for (int j = 1; j < COLUMNS; j++)
            grid[i][j] = grid[i - 1][j] % 5 + grid[i][j - 1] % 7 + grid[i - 1][COLUMNS - 1] % 3 + i;
    int total = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            total = total * 3 + grid[i][j];
    printf("%d\n", total);
    return 0;
}
