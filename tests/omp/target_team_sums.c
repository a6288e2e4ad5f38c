// options: -fopenmp
// What each team of a league reduces for itself, in variables of its own.
#include <omp.h>
#include <stdio.h>

#define N 5000

int main(void)
{
    static int a[N];
    long total = 0, most = 0, kept = 7, both = 0;
    int teams = 0, wrong = 0;
    for (int i = 0; i < N; i++)
        a[i] = i % 17;

    // The sums of the teams are that of all, however many there are.
#pragma omp target teams num_teams(5) map(to : a) map(tofrom : total, teams, wrong) \
    reduction(+ : total, teams, wrong)
    {
        long own = 0;
        int first = N;
#pragma omp distribute parallel for reduction(+ : own) reduction(min : first)
        for (int i = 0; i < N; i++) {
            own += a[i];
            if (i < first)
                first = i;
        }
        total += own;
        if (first < N)
            teams++;
        // Again, from what is there.
        long before = own;
#pragma omp distribute parallel for simd collapse(2) reduction(+ : own)
        for (int i = 0; i < 100; i++)
            for (int j = 0; j < 10; j++)
                own += 1;
        if (own < before)
            wrong++;
        total += (own - before) * 1000000;
    }
    printf("%ld %d %d\n", total, teams >= 1 && teams <= 5, wrong);

    // Copies that clauses of `teams` make.
    total = 0;
#pragma omp target teams num_teams(3) firstprivate(kept) private(most) map(to : a) map(tofrom : total) \
    reduction(+ : total)
    {
        most = -1;
#pragma omp distribute parallel for dist_schedule(static, 50) reduction(+ : kept) reduction(max : most)
        for (int i = 0; i < N; i++) {
            kept += a[i];
            if (a[i] > most)
                most = a[i];
        }
        total += kept - 7 + (most > 16 || most < -1 ? 1000000 : 0);
    }
    printf("%ld %ld %ld\n", total, kept, most);

    // One that the team has, and one that all have.
    total = 0;
#pragma omp target teams num_teams(4) map(to : a) map(tofrom : total, both) reduction(+ : total, both)
    {
        long own = 0;
#pragma omp distribute parallel for reduction(+ : own, both)
        for (int i = 0; i < N; i++) {
            own += a[i];
            both += 2;
        }
        total += own;
    }
    printf("%ld %ld\n", total, both);

    // In turn in one team.
    total = 0;
#pragma omp target teams num_teams(2) map(tofrom : total) reduction(+ : total)
    for (int k = 1; k < 4; k++) {
        long own = k;
#pragma omp distribute parallel for reduction(+ : own)
        for (int i = 0; i < 100; i++)
            own += i;
        total += own - k;
    }
    printf("%ld\n", total);
    return 0;
}
