// options: -fopenmp
// Reductions of arrays, of arrays of variable length, of sections of arrays and behind pointers.
#include <stdio.h>
#include <stdlib.h>

static void histogram(int n, const int *values, int bins)
{
    int counts[bins];
    for (int i = 0; i < bins; i++)
        counts[i] = 100 * i;
#pragma omp parallel for reduction(+ : counts)
    for (int i = 0; i < n; i++)
        counts[values[i] % bins]++;
    for (int i = 0; i < bins; i++)
        printf(" %d", counts[i]);
    puts("");
}

static void behind_pointer(int n, int *total, int length)
{
#pragma omp parallel for reduction(+ : total[1 : length - 2])
    for (int i = 0; i < n; i++)
        total[1 + i % (length - 2)] += i;
    for (int i = 0; i < length; i++)
        printf(" %d", total[i]);
    puts("");
}

int main(void)
{
    enum { N = 300 };
    static int values[N];
    for (int i = 0; i < N; i++)
        values[i] = i * i % 101;

    double sums[3] = { 0.5, 0, 0 };
    int grid[2][3] = { { 0 } };
#pragma omp parallel for reduction(+ : sums, grid)
    for (int i = 0; i < N; i++) {
        sums[i % 3] += i;
        grid[i % 2][i % 3] += values[i];
    }
    printf("%g %g %g\n", sums[0], sums[1], sums[2]);
    for (int i = 0; i < 6; i++)
        printf(" %d", grid[i / 3][i % 3]);
    puts("");

    int most[8] = { 0 };
#pragma omp parallel for reduction(max : most[2 : 4])
    for (int i = 0; i < N; i++)
        if (values[i] > most[2 + i % 4])
            most[2 + i % 4] = values[i];
    for (int i = 0; i < 8; i++)
        printf(" %d", most[i]);
    puts("");

    histogram(N, values, 5);
    int *total = calloc(6, sizeof *total);
    total[0] = -1, total[5] = -5;
    behind_pointer(N, total, 6);
    free(total);

    int of_team[4] = { 1, 1, 1, 1 };
#pragma omp parallel reduction(* : of_team) num_threads(3)
    of_team[1] *= 2, of_team[3] *= 3;
    printf("%d %d %d %d\n", of_team[0], of_team[1], of_team[2], of_team[3]);

    // Parts that lie side by side.
    int parts[5] = { 0 };
#pragma omp parallel for reduction(+ : parts[3], parts[2]) reduction(+ : parts[0 : 2])
    for (int i = 0; i < 40; i++)
        parts[i % 4] += i;
    printf("%d %d %d %d %d\n", parts[0], parts[1], parts[2], parts[3], parts[4]);
    return 0;
}
