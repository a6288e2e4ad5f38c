// options: -fopenmp
// Launches that call functions with `parallel for`: host and device agree on how many there are, and on their threads.
#include <omp.h>
#include <stdio.h>

enum { ROWS = 4, N = 90 };

#pragma omp declare target
static int most(const int *a, int n)
{
    int most = 0;
#pragma omp parallel for reduction(max : most)
    for (int i = 0; i < n; i++)
        if (a[i] > most)
            most = a[i];
    return most;
}

static int threads(void)
{
    int all = 0;
#pragma omp parallel for reduction(max : all)
    for (int i = 0; i < 2000; i++)
        all = omp_get_num_threads();
    return all;
}
#pragma omp end declare target

static int a[ROWS][N], out[ROWS];

int main(int argc, char **argv)
{
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < N; i++)
            a[r][i] = (r * 13 + i * 7) % 50 + r;
#pragma omp target teams distribute num_teams(2) thread_limit(1) map(tofrom : a, out)
    for (int r = 0; r < ROWS; r++)
        out[r] = out[r] * 31 + most(a[r], N);
#pragma omp target teams distribute num_teams(2) thread_limit(1) map(tofrom : a, out)
    for (int r = 0; r < ROWS; r++)
        out[r] = out[r] * 31 + most(a[r], N);
    for (int r = 0; r < ROWS; r++)
        printf("%d\n", out[r]);

    int few = 0, limited = 0, several = 0, limit = argc * 40;
#pragma omp target thread_limit(limit) map(from : few)
    few = threads();
#pragma omp target teams num_teams(argc) thread_limit(limit + 30) map(from : several)
    several = threads();
#pragma omp target teams distribute thread_limit(limit) map(from : limited)
    for (int i = 0; i < 1; i++)
        limited = threads() + most(a[0], N) * 1000;
    printf("%d %d %d\n", few >= 1 && few <= limit, several >= 1 && several <= limit + 30, limited % 1000 >= 1 && limited % 1000 <= limit);
    printf("%d\n", limited / 1000);
}
