// options: -fopenmp
// A loop whose iterations wait for single ones in a loop with `ordered`: each `ordered` belongs to the nearest loop.
#include <stdio.h>

enum { ROWS = 5, N = 12 };

static int cells[ROWS][N];

int main(void)
{
    unsigned order = 1;
#pragma omp parallel for ordered schedule(static, 1)
    for (int row = 0; row < ROWS; row++) {
        cells[row][0] = row + 1;
#pragma omp parallel num_threads(2)
#pragma omp for ordered(1) schedule(dynamic)
        for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
            cells[row][i] = cells[row][i - 1] * 2 % 1000 + i;
#pragma omp ordered depend(source)
        }
#pragma omp ordered
        order = order * 31 + cells[row][N - 1];
    }
    printf("%u\n", order);

    // Without a number, `ordered` of the inner loop is about as many loops as `collapse` says.
    order = 1;
#pragma omp parallel for ordered
    for (int row = 0; row < ROWS; row++) {
#pragma omp parallel
#pragma omp for ordered
        for (int i = 1; i < N; i++) {
#pragma omp ordered doacross(sink : i - 1)
            cells[row][i] += cells[row][i - 1] % 7;
#pragma omp ordered doacross(source :)
        }
#pragma omp ordered
        {
            order = order * 31 + cells[row][N - 1];
        }
    }
    printf("%u\n", order);
    return 0;
}
