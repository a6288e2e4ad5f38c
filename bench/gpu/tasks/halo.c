// A stencil on a plane in strips, each for a quarter of the device: a strip of the next step needs the same strip and
// both neighbours of this step.
// Arguments: steps, and how often the host waits: 0 never, 1 after each step. Prints microseconds a step.
#include "clock.h"
#include <stdio.h>
#include <stdlib.h>

enum { STRIPS = 4, ROWS = 512, COLUMNS = 4096, N = STRIPS * ROWS, TEAMS = 33, THREADS = 1024 };

// A row more at both ends, and a strip's mark more, which stay as they are.
static float plane[2][N + 2][COLUMNS];
static char mark[2][STRIPS + 2];

static void strip(int from, int s)
{
    int to = 1 - from, first = 1 + (s - 1) * ROWS;
#pragma omp target teams distribute parallel for collapse(2) num_teams(TEAMS) thread_limit(THREADS) nowait \
        depend(in : mark[from][s - 1], mark[from][s], mark[from][s + 1]) depend(out : mark[to][s])
    for (int i = first; i < first + ROWS; i++)
        for (int j = 1; j < COLUMNS - 1; j++)
            plane[to][i][j] = 0.2f * (plane[from][i][j] + plane[from][i - 1][j] + plane[from][i + 1][j]
                + plane[from][i][j - 1] + plane[from][i][j + 1]);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 20, waits = argc > 2 && atoi(argv[2]);
    for (int i = 0; i < N + 2; i++)
        for (int j = 0; j < COLUMNS; j++)
            plane[0][i][j] = plane[1][i][j] = i == 0 || i == N + 1 || j == 0 || j == COLUMNS - 1;
#pragma omp target enter data map(to : plane)
    for (int round = 0; round < 4; round++) {
        double start = seconds();
        for (int step = 0; step < steps; step++) {
            for (int s = 1; s <= STRIPS; s++)
                strip(step % 2, s);
            if (waits) {
#pragma omp taskwait
            }
        }
#pragma omp taskwait
        printf("%.3f\n", 1e6 * (seconds() - start) / steps);
    }
#pragma omp target exit data map(from : plane)
    // The plane is symmetric as long as all strips are one step apart.
    for (int i = 1; i <= N / 2; i++)
        for (int j = 1; j < COLUMNS - 1; j++) {
            float x = plane[steps % 2][i][j], y = plane[steps % 2][N + 1 - i][j];
            if (x - y > 1e-5f || y - x > 1e-5f || x > 1.0001f || steps > 0 && i < 4 && x <= 0) {
                printf("wrong: (%d, %d) is %g, its image %g\n", i, j, x, y);
                return 1;
            }
        }
    return 0;
}
