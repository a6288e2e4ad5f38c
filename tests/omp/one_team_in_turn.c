// options: -fopenmp
// One team executes its iterations one after the other, whatever is shared inside of them: each builds on the one before.
#include <stdio.h>

enum { N = 200, M = 40 };

static int a[N][M], b[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = 1;
    for (int i = 0; i < N; i++)
        b[i] = 1;
#pragma omp target teams distribute map(tofrom: a) num_teams(1)
    for (int i = 1; i < N; i++) {
#pragma omp simd
        for (int j = 0; j < M; j++)
            a[i][j] += a[i - 1][j];
    }
#pragma omp target teams distribute map(tofrom: b) num_teams(1)
    for (int i = 1; i < N; i++)
        b[i] += b[i - 1];
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        wrong += b[i] != i + 1;
        for (int j = 0; j < M; j++)
            wrong += a[i][j] != i + 1;
    }
    printf("%d %d %d\n", wrong, a[N - 1][M - 1], b[N - 1]);
    return wrong != 0;
}
