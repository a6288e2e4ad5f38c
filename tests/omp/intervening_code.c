// options: -fopenmp
// Statements in front of and behind an inner loop of a nest with `collapse`: each sees the variables around it.
#include <stdio.h>

#define N 6
#define M 5

static double grid[N][M][4];
static int rows[N];

static int of_target(void)
{
    int out[N][M] = {0}, wrong = 0;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : out)
    for (int i = 0; i < N; i++) {
        int base = i * 100;
        for (int j = 0; j < M; j++) {
            if (j == 3)
                continue;
            out[i][j] = base + j;
        }
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            wrong += out[i][j] != (j == 3 ? 0 : i * 100 + j);
    return wrong;
}

int main(void)
{
    int i, j, k, wrong = 0;
    long sum = 0;
#pragma omp parallel for collapse(3) private(k)
    for (i = 0; i < N; i++) {
        double scale = i + 1;
        for (j = 0; j < M; j++) {
            double shift;
            {
                shift = 10 * j;
                for (k = 0; k < 4; k++) {
                    if (k == 2)
                        continue;
                    grid[i][j][k] = scale * k + shift;
                }
            }
        }
        scale = -1;
    }
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            for (k = 0; k < 4; k++)
                wrong += grid[i][j][k] != (k == 2 ? 0 : (i + 1) * k + 10 * j);
#pragma omp simd collapse(2) reduction(+ : sum)
    for (i = 0; i < N; i++) {
        int twice = 2 * i;
        for (j = 0; j <= i; j++)
            sum += twice + j;
        ;
    }
    printf("%d %d %ld %d %d\n", wrong, of_target(), sum, i, j);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(2) shared(rows)
    for (i = 0; i < N; i++) {
        int *row = &rows[i];
        for (j = 0; j < M; j++)
            if (j == 1)
                *row = 3 * i + j;
    }
    for (i = 0; i < N; i++)
        printf("%d ", rows[i]);
    printf("\n");
    return 0;
}
