// options: -fopenmp
// `teams` on the host: how many there are, what each has for itself, and how they share loops.
#include <omp.h>
#include <stdio.h>

enum { N = 40 };

// Routines that may not stand directly in a `teams`.
static int most_threads(void) { return omp_get_max_threads(); }
static int limit_of_threads(void) { return omp_get_thread_limit(); }
static void set_threads(int n) { omp_set_num_threads(n); }

static void numbers(void)
{
    int seen[8] = { 0 }, sum = 0, first = 7, inside = 0;
    printf("%d %d\n", omp_get_num_teams(), omp_get_team_num());
#pragma omp teams num_teams(5) firstprivate(first) reduction(+ : sum, inside) shared(seen)
    {
        int team = omp_get_team_num();
        seen[team]++;
        sum += omp_get_num_teams() * 100 + first;
        first = 1000;
        // Threads of a team know it, and what a team sets it sets for itself.
        set_threads(2 + team);
#pragma omp parallel num_threads(2)
        {
            if (omp_get_team_num() != team || omp_get_num_teams() != 5) {
#pragma omp atomic
                inside++;
            }
        }
        inside += most_threads() != 2 + team;
    }
    printf("%d %d %d %d %d %d %d %d\n", seen[0], seen[1], seen[2], seen[3], seen[4], seen[5], sum, inside);
    int threads = omp_get_max_threads(), limit = omp_get_thread_limit(), most = 0;
#pragma omp teams num_teams(2) thread_limit(3) reduction(max : most)
    {
        int bound = limit_of_threads(), own = 0;
#pragma omp parallel num_threads(16) reduction(max : own)
        own = omp_get_num_threads() > bound ? 1000 : bound;
        most = own > most ? own : most;
    }
    printf("%d %d %d\n", most, omp_get_max_threads() == threads, omp_get_thread_limit() == limit);
}

static void loops(int n)
{
    int owner[N], times[N] = { 0 }, last = -1, i;
    long sum = 0;
#pragma omp teams num_teams(3) shared(owner, times)
    {
#pragma omp distribute dist_schedule(static, 2)
        for (int k = 0; k < n; k++) {
            owner[k] = omp_get_team_num();
#pragma omp atomic
            times[k]++;
        }
    }
    for (int k = 0; k < n; k++)
        printf("%d", owner[k] * 10 + times[k]);
    printf("\n");
    // Each iteration once, whatever is combined.
#pragma omp teams distribute num_teams(7) lastprivate(last) reduction(+ : sum)
    for (int k = 0; k < n; k++) {
        sum += k;
        last = k;
    }
    printf("%ld %d\n", sum, last);
#pragma omp teams distribute parallel for num_teams(3) reduction(+ : sum) collapse(2)
    for (int k = 0; k < n; k++)
        for (int l = k; l < n; l++)
            sum += l;
    printf("%ld\n", sum);
#pragma omp teams num_teams(4) shared(sum, times)
    {
#pragma omp distribute parallel for
        for (int k = 0; k < n; k++) {
#pragma omp atomic
            sum++;
        }
#pragma omp loop
        for (int k = 0; k < n; k++)
            times[k]++;
#pragma omp distribute simd lastprivate(i)
        for (i = 0; i < 3; i++) {
#pragma omp atomic
            sum++;
        }
        // Without a directive of the league, each team executes all.
#pragma omp parallel for
        for (int k = 0; k < n; k++) {
#pragma omp atomic
            sum += 1000000;
        }
    }
    printf("%ld %d %d\n", sum, i, times[0] + times[n - 1]);
#pragma omp teams loop num_teams(5) reduction(+ : sum)
    for (int k = 0; k < n; k++)
        sum += k;
    printf("%ld\n", sum);
}

static void variables(void)
{
    printf("%d %d\n", omp_get_max_teams(), omp_get_teams_thread_limit());
    omp_set_num_teams(3);
    omp_set_teams_thread_limit(4);
    int teams = 0, limits = 0;
#pragma omp teams reduction(+ : teams, limits)
    {
        teams++;
        limits += limit_of_threads();
    }
    printf("%d %d %d %d\n", omp_get_max_teams(), omp_get_teams_thread_limit(), teams <= 3, limits <= 4 * teams);
}

int main(void)
{
    numbers();
    loops(17);
    variables();
    return 0;
}
