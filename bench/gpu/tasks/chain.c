// A chain of target tasks: what a task costs the host, and how far apart their kernels are. Arguments: how many
// tasks, and the steps of each kernel. Prints microseconds a task: of the host until all are submitted, and of all.
#include "clock.h"
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 32 };

static float a[LANES];

static void chain(int tasks, int steps, double *submitted, double *done)
{
    double start = seconds();
    for (int task = 0; task < tasks; task++) {
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(LANES) nowait depend(inout : a)
        for (int i = 0; i < LANES; i++) {
            float x = a[i];
            for (int step = 0; step < steps; step++)
                x = x * 0.999f + 1;
            a[i] = x;
        }
    }
    *submitted = seconds() - start;
#pragma omp taskwait
    *done = seconds() - start;
}

int main(int argc, char **argv)
{
    int tasks = argc > 1 ? atoi(argv[1]) : 1000, steps = argc > 2 ? atoi(argv[2]) : 1;
    double submitted, done;
#pragma omp target enter data map(to : a)
    for (int round = 0; round < 5; round++) {
        chain(tasks, steps, &submitted, &done);
        printf("%.3f %.3f\n", 1e6 * submitted / tasks, 1e6 * done / tasks);
    }
#pragma omp target exit data map(from : a)
    float last = 0;
    for (long step = 0; step < 5L * tasks * steps; step++) {
        float next = last * 0.999f + 1;
        if (next == last)
            break;
        last = next;
    }
    if (a[0] - last > 1e-2f || last - a[LANES - 1] > 1e-2f) {
        printf("wrong: %g instead of %g\n", a[0], last);
        return 1;
    }
    return 0;
}
