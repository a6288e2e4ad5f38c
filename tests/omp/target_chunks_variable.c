// options: -fopenmp
#include <stdio.h>
#include <string.h>

// Chunks inside of `target` whose length is no constant, of nests, and of threads in those of teams: an iteration uses what
// the one before in its chunk has left.

enum { COUNT = 96 };
static int a[COUNT];

static void check(const char *what, int chunk)
{
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        wrong += a[i] != i % chunk;
    printf("%s: %d\n", what, wrong);
    memset(a, 0, sizeof a);
}

static void next(int at, int chunk) { a[at] = at % chunk ? a[at - 1] + 1 : 0; }

int main(int argc, char **argv)
{
    int chunk = argc + 4, of_team = 3 * chunk;
    (void)argv;
#pragma omp target enter data map(to : a)
#pragma omp target parallel for schedule(static, chunk)
    for (int i = 0; i < COUNT; i++)
        next(i, chunk);
#pragma omp target update from(a)
    check("static", chunk);
#pragma omp target parallel for schedule(dynamic, chunk + 1) collapse(2)
    for (int i = 0; i < 8; i++)
        for (long j = 11; j >= 0; j--)
            next(12 * i + 11 - j, chunk + 1);
#pragma omp target update from(a)
    check("dynamic, nest", chunk + 1);
#pragma omp target teams distribute dist_schedule(static, chunk) collapse(3)
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 12; j += 2)
            for (int k = 0; k != 4; k++)
                next(24 * i + 2 * j + k, chunk);
#pragma omp target update from(a)
    check("teams, nest", chunk);
#pragma omp target teams distribute parallel for dist_schedule(static, of_team) schedule(static, chunk)
    for (int i = 0; i < COUNT; i++)
        next(i, chunk);
#pragma omp target update from(a)
    check("both", chunk);

    // Chunks of threads begin anew in those of teams, whose length they do not divide.
    int wrong = 0;
#pragma omp target teams distribute parallel for dist_schedule(static, 7) schedule(static, 3)
    for (int i = 0; i < COUNT; i++)
        a[i] = i % 7 % 3 ? a[i - 1] + 1 : 0;
#pragma omp target update from(a)
    for (int i = 0; i < COUNT; i++)
        wrong += a[i] != i % 7 % 3;
    printf("not divided: %d\n", wrong);

    int last = -1, none = 0, sum = 0;
#pragma omp target parallel for schedule(static, chunk) collapse(2) lastprivate(last) reduction(+ : sum)
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 7; j++) {
            last = 10 * i + j;
            sum += last;
        }
#pragma omp target parallel for schedule(static, chunk) collapse(2) reduction(+ : none)
    for (int i = 5; i < 2; i++)
        for (int j = 5; j < 1; j++)
            none++;
    printf("%d %d %d\n", last, sum, none);
#pragma omp target exit data map(delete : a)
    return 0;
}
