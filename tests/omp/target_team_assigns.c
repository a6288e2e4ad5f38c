// options: -fopenmp
// The threads of a team share its copy of what `teams` or `distribute` reduces: a loop of theirs that assigns to
// it, or to elements that are each one thread's, needs no `reduction`.
#include <stdio.h>

enum { N = 64 };

int main(void)
{
    int assigned = 0, counted = 0, lowered = 0, row[N] = {0}, twice[N] = {0}, each = 0, teams = 0;

#pragma omp target teams reduction(+ : assigned, counted, teams) num_teams(4)
    {
        teams = 1;
        assigned = 128;
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            if (i == 7)
                assigned = 5;
        counted = 3;
#pragma omp parallel for
        for (int i = 0; i < N; i++) {
#pragma omp atomic
            counted++;
        }
    }
    printf("%d %d\n", assigned / teams, counted / teams);

#pragma omp target teams reduction(max : lowered) num_teams(4)
    {
        lowered = 100;
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            if (i == 9)
                lowered = 50;
    }
    printf("%d\n", lowered);

#pragma omp target teams reduction(+ : row, twice) num_teams(4)
    {
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            row[i] += i;
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            twice[i] = row[i] + 1;
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            twice[i] *= 2;
    }
    printf("%d %d %d\n", row[N - 1] / teams, twice[0] / teams, twice[N - 1] / teams);

#pragma omp target teams distribute reduction(max : each) num_teams(4)
    for (int k = 0; k < 4; k++) {
        each = 100;
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            if (i == k)
                each = k;
    }
    printf("%d\n", each);
    return 0;
}
