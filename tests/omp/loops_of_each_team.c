// options: -fopenmp
// What binds to a thread is executed by each team in full, what teams share by one of them: in parts of
// neighbouring iterations with `dist_schedule(static)`.
#include <omp.h>
#include <stdio.h>

enum { TEAMS = 32, LENGTH = 40 };

static int of_team[TEAMS][LENGTH], team_of[LENGTH];

static int faults(int expected)
{
    int count = 0;
    for (int team = 0; team < TEAMS; team++)
        for (int i = 0; i < LENGTH; i++)
            count += of_team[team][i] != expected + i;
    return count;
}

// Rows of teams or threads that there are not.
static void fill(int from, int expected)
{
    for (int team = from; team < TEAMS; team++)
        for (int i = 0; i < LENGTH; i++)
            of_team[team][i] = expected + i;
}

static int steps_back(void)
{
    int count = 0;
    for (int i = 1; i < LENGTH; i++)
        count += team_of[i] < team_of[i - 1];
    return count;
}

int main(void)
{
    int teams = 0;
#pragma omp target teams num_teams(TEAMS) map(from : of_team) map(tofrom : teams)
    {
        int own[LENGTH];
        for (int i = 0; i < LENGTH; i++)
            own[i] = 1;
#pragma omp loop bind(thread)
        for (int i = 0; i < LENGTH; i++)
            own[i] += i;
        for (int i = 0; i < LENGTH; i++)
            of_team[omp_get_team_num()][i] = own[i];
        if (omp_get_team_num() == 0)
            teams = omp_get_num_teams();
    }
    fill(teams, 1);
    printf("bind(thread) in teams: %d\n", faults(1));

#pragma omp target teams num_teams(teams) map(from : of_team)
    {
        int own[LENGTH];
#pragma omp loop bind(parallel)
        for (int i = 0; i < LENGTH; i++)
            own[i] = 2 + i;
        for (int i = 0; i < LENGTH; i++)
            of_team[omp_get_team_num()][i] = own[i];
    }
    fill(teams, 2);
    printf("bind(parallel) in teams: %d\n", faults(2));

    int threads = 0, sum = 0;
#pragma omp target parallel num_threads(TEAMS) map(from : of_team) map(tofrom : threads)
    {
        int own[LENGTH];
#pragma omp loop bind(thread)
        for (int i = 0; i < LENGTH; i++)
            own[i] = 3 + i;
        for (int i = 0; i < LENGTH; i++)
            of_team[omp_get_thread_num()][i] = own[i];
        if (omp_get_thread_num() == 0)
            threads = omp_get_num_threads();
    }
    fill(threads, 3);
    printf("bind(thread) in parallel: %d\n", faults(3));

#pragma omp target teams distribute num_teams(3) dist_schedule(static) map(from : team_of)
    for (int i = 0; i < LENGTH; i++)
        team_of[i] = omp_get_team_num();
    printf("shares of teams: %d\n", steps_back());

    int last = 0;
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(32) dist_schedule(static) \
    map(from : team_of) reduction(+ : sum) lastprivate(last)
    for (int i = 0; i < LENGTH; i++) {
        team_of[i] = omp_get_team_num();
        sum += i;
        last = i;
    }
    printf("shares of threads: %d, %d %d\n", steps_back(), sum, last);

#pragma omp target teams distribute num_teams(3) dist_schedule(static) map(tofrom : team_of)
    for (int i = 0; i < sum - 780; i++)
        team_of[i] = -1;
    printf("nothing to share: %d\n", steps_back());
}
