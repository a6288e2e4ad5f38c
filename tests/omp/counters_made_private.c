// options: -fopenmp
// A construct around makes the counter of a loop of `target` private, or firstprivate: the loop counts with
// the copy. What a thread leaves in its copy of a variable, the next iteration of its chunk finds there.
#include <stdio.h>

enum { LENGTH = 48 };

static int values[LENGTH];

static void show(const char *what, int expected)
{
    int faults = 0;
    for (int i = 0; i < LENGTH; i++) {
        faults += values[i] != expected * i;
        values[i] = -1;
    }
    printf("%s: %d\n", what, faults);
}

static void show_chunks(const char *what)
{
    int faults = 0;
    for (int i = 0; i < LENGTH; i++) {
        faults += values[i] != i % 8 + 1;
        values[i] = -1;
    }
    printf("%s: %d\n", what, faults);
}

int main(void)
{
    int i = 7, kept = 100;

#pragma omp task shared(values) private(i)
#pragma omp target map(from : values)
#pragma omp parallel for
    for (i = 0; i < LENGTH; i++)
        values[i] = i;
#pragma omp taskwait
    show("task", 1);

#pragma omp parallel private(i) num_threads(1)
#pragma omp target teams distribute parallel for map(from : values)
    for (i = 0; i < LENGTH; i++)
        values[i] = 2 * i;
    show("parallel", 2);

#pragma omp single firstprivate(i)
    {
#pragma omp target map(from : values)
        for (i = 0; i < LENGTH; i++)
            values[i] = 3 * i;
    }
    show("single", 3);
    printf("%d\n", i);

#pragma omp target teams distribute parallel for num_teams(2) schedule(static, 8) firstprivate(kept) map(from : values)
    for (int j = 0; j < LENGTH; j++) {
        if (j % 8 == 0)
            kept = 0;
        values[j] = ++kept;
    }
    show_chunks("chunks of threads");

#pragma omp target teams distribute num_teams(2) dist_schedule(static, 8) firstprivate(kept) map(from : values)
    for (int j = 0; j < LENGTH; j++) {
        if (j % 8 == 0)
            kept = 0;
        values[j] = ++kept;
    }
    show_chunks("chunks of teams");

#pragma omp target map(from : values)
#pragma omp parallel for schedule(static, 8) firstprivate(kept)
    for (int j = 0; j < LENGTH; j++) {
        if (j % 8 == 0)
            kept = 0;
        values[j] = ++kept;
    }
    show_chunks("chunks in target");
    printf("%d\n", kept);
}
