// Kernels that fill a sixteenth of the device each, independent of each other. Arguments: how many, teams of each,
// steps of each. Prints microseconds of one alone, and of all.
#include "clock.h"
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64, TEAMS = 256, LANES = 128 };

static float a[MOST][TEAMS * LANES];

static double round_of(int tasks, int teams, int steps)
{
    double start = seconds();
    for (int task = 0; task < tasks; task++) {
        float *mine = a[task];
#pragma omp target teams distribute parallel for num_teams(teams) thread_limit(LANES) nowait \
        depend(inout : a[task]) firstprivate(steps)
        for (int i = 0; i < teams * LANES; i++) {
            float x = mine[i];
            for (int step = 0; step < steps; step++)
                x = x * 0.999f + 1;
            mine[i] = x;
        }
    }
#pragma omp taskwait
    return 1e6 * (seconds() - start);
}

int main(int argc, char **argv)
{
    int tasks = argc > 1 ? atoi(argv[1]) : 16, teams = argc > 2 ? atoi(argv[2]) : 8;
    int steps = argc > 3 ? atoi(argv[3]) : 1000;
    if (tasks > MOST || teams > TEAMS)
        return 2;
#pragma omp target enter data map(to : a)
    for (int round = 0; round < 5; round++) {
        double one = round_of(1, teams, steps), all = round_of(tasks, teams, steps);
        printf("%.1f %.1f\n", one, all);
    }
#pragma omp target exit data map(from : a)
    for (int task = 1; task < tasks; task++)
        for (int i = 0; i < teams * LANES; i++)
            if (a[task][i] != a[1][0]) {
                printf("wrong: task %d, element %d\n", task, i);
                return 1;
            }
    return 0;
}
