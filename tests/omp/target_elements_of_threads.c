// options: -fopenmp
// An element that the number of the thread or of its team chooses belongs to that thread, and each of its
// iterations uses what the one before left there.
#include <omp.h>
#include <stdio.h>

enum { N = 5000, TEAMS = 4, THREADS = 64, MOST = 2048, SIDE = 640 };
static long own[MOST], bins[TEAMS * THREADS][8], values[N], kinds[N];
static int left[SIDE], right[SIDE];

static long taken(void)
{
    long sum = 0;
    for (int i = 0; i < MOST; i++) {
        sum += own[i];
        own[i] = 0;
    }
    return sum;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        values[i] = i % 13;
        kinds[i] = i % 7;
    }
    for (int i = 0; i < SIDE; i++) {
        left[i] = i % 5;
        right[i] = i % 3;
    }
#pragma omp target parallel for map(tofrom : own) map(to : values)
    for (int i = 0; i < N; i++)
        own[omp_get_thread_num()] += values[i];
    printf("%ld\n", taken());

#pragma omp target teams distribute parallel for num_teams(TEAMS) thread_limit(THREADS) map(tofrom : own) map(to : values)
    for (int i = 0; i < N; i++)
        own[omp_get_team_num() * THREADS + omp_get_thread_num()] += values[i];
    printf("%ld\n", taken());

#pragma omp target teams distribute num_teams(TEAMS) map(tofrom : own) map(to : values)
    for (int i = 0; i < N; i++)
        own[omp_get_team_num()] += values[i];
    printf("%ld\n", taken());

#pragma omp target teams distribute num_teams(TEAMS) map(tofrom : own) map(to : values)
    for (int i = 0; i < N / 40; i++) {
        long part = 0;
#pragma omp simd reduction(+ : part)
        for (int j = 0; j < 40; j++)
            part += values[40 * i + j];
        own[omp_get_team_num()] += part;
    }
    printf("%ld\n", taken());

#pragma omp target teams distribute parallel for num_teams(TEAMS) thread_limit(THREADS) map(tofrom : bins) map(to : kinds)
    for (int i = 0; i < N; i++)
        bins[omp_get_team_num() * THREADS + omp_get_thread_num()][kinds[i]]++;
    long sum = 0;
    for (int i = 0; i < TEAMS * THREADS; i++)
        for (int j = 0; j < 8; j++)
            sum += bins[i][j] * (j + 1);
    printf("%ld\n", sum);

#pragma omp target teams distribute parallel for collapse(2) num_teams(TEAMS) thread_limit(THREADS) map(tofrom : own) map(to : left, right)
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            own[omp_get_team_num() * THREADS + omp_get_thread_num()] += left[i] * right[j];
    printf("%ld\n", taken());
    return 0;
}
