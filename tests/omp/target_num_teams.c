// options: -fopenmp
// A league inside of `target` has as many teams as `num_teams` says, each of which executes the region
// once; and what is shared among them is shared once.
#include <omp.h>
#include <stdio.h>

enum { N = 100 };
static int hits[64];

static int count(void)
{
    int teams = 0;
    for (int i = 0; i < 64; i++) {
        teams += hits[i] == 1;
        hits[i] = 0;
    }
    return teams;
}

int main(void)
{
    int a[N], wrong = 0, first = 0, second = 0, sum = 0, teams = 5, alone = 0;
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp target map(to : a) map(tofrom : first, second, wrong)
#pragma omp teams num_teams(2)
    {
        if (omp_get_num_teams() != 2)
            wrong = 1;
        if (omp_get_team_num() == 0) {
#pragma omp parallel for reduction(+ : first)
            for (int i = 0; i < N / 2; i++)
                first += a[i];
        } else if (omp_get_team_num() == 1) {
#pragma omp parallel for reduction(+ : second)
            for (int i = N / 2; i < N; i++)
                second += a[i];
        }
    }
    printf("%d %d %d\n", wrong, first, second);
#pragma omp target teams num_teams(teams) map(tofrom : hits)
    hits[omp_get_team_num()] += 1;
    printf("%d\n", count());
#pragma omp target teams num_teams(3) map(tofrom : sum) reduction(+ : sum)
    sum += omp_get_num_teams();
    printf("%d\n", sum);
#pragma omp target teams distribute parallel for num_teams(7) map(tofrom : a, sum) reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        a[i] += 1;
        sum += a[i];
    }
    printf("%d %d\n", sum, a[N - 1]);
#pragma omp target teams num_teams(4) map(tofrom : hits) nowait depend(out : hits)
    hits[omp_get_team_num()] += 1;
#pragma omp taskwait
    printf("%d\n", count());
#pragma omp target if (0) map(tofrom : hits)
#pragma omp teams num_teams(6)
    hits[omp_get_team_num()] += 1;
    printf("%d\n", count());
    // No league: one thread, whatever the launch before had.
#pragma omp target map(tofrom : alone)
    alone += omp_get_num_teams();
    printf("%d\n", alone);
    return 0;
}
