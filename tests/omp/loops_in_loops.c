// options: -fopenmp
// A `loop` in a `loop` is executed by the thread that has the iteration around, in `teams loop` with `bind(parallel)`, too; `ordered threads simd` takes turns.
#include <stdio.h>

enum { N = 61, M = 17 };
static int grid[N][M], turns[N], at;

int main(void)
{
#pragma omp parallel num_threads(3)
#pragma omp loop
    for (int i = 0; i < N; i++)
#pragma omp loop
        for (int j = 0; j < M; j++)
            grid[i][j] += i * M + j;

#pragma omp parallel loop bind(parallel) num_threads(2)
    for (int i = 0; i < N; i++) {
        int sum = 0;
#pragma omp loop reduction(+ : sum)
        for (int j = 0; j < M; j++)
            sum += grid[i][j];
        grid[i][0] += sum;
    }

#pragma omp target teams loop map(tofrom : grid)
    for (int i = 0; i < N; i++)
#pragma omp loop bind(parallel)
        for (int j = 0; j < M; j++)
            grid[i][j] += i - j;

#pragma omp parallel for simd ordered num_threads(3)
    for (int i = 0; i < N; i++) {
        int own = i * i;
#pragma omp ordered threads simd
        turns[at++] = own;
    }

    long sum = 0;
    int in_order = 1;
    for (int i = 0; i < N; i++) {
        in_order &= turns[i] == i * i;
        for (int j = 0; j < M; j++)
            sum += grid[i][j] * (i + 2 * j);
    }
    printf("%ld %d %d\n", sum, at, in_order);
    return 0;
}
