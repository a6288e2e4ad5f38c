// Heat in a plate: Jacobi iteration on a 2-D grid until the largest change is small.
// The grids stay on the device for the whole iteration; only the error comes back each step.
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 66, COLUMNS = 98, MAX_STEPS = 3000 };
static double now[ROWS][COLUMNS], next[ROWS][COLUMNS];

int main(void)
{
    const double tolerance = 2e-2;
    double error = 1;
    int steps = 0;

    for (int j = 0; j < COLUMNS; j++)
        now[0][j] = 100;
    memcpy(next, now, sizeof now);

#pragma acc data copy(now) copyin(next)
    while (error > tolerance && steps < MAX_STEPS) {
        error = 0;
#pragma acc parallel loop collapse(2) reduction(max:error)
        for (int i = 1; i < ROWS - 1; i++)
            for (int j = 1; j < COLUMNS - 1; j++) {
                next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
                error = fmax(error, fabs(next[i][j] - now[i][j]));
            }
#pragma acc parallel loop collapse(2)
        for (int i = 1; i < ROWS - 1; i++)
            for (int j = 1; j < COLUMNS - 1; j++)
                now[i][j] = next[i][j];
        steps++;
    }
    printf("%d steps, last change %.6f, centre %.6f\n", steps, error, now[ROWS / 2][COLUMNS / 2]);
    return 0;
}
