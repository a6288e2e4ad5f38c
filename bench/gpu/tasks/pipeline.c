// A long array goes through the device in blocks: up, kernel, down, each a target task. Argument: steps of the
// kernel. Prints microseconds of all copies alone, of all kernels alone, and of the pipeline.
#include "clock.h"
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 32, SIZE = 1 << 20 };

static float *in, *out;

static void kernel(int block, int steps)
{
    float *x = in + (size_t)block * SIZE, *y = out + (size_t)block * SIZE;
#pragma omp target teams distribute parallel for nowait depend(in : x[0]) depend(out : y[0]) firstprivate(steps)
    for (int i = 0; i < SIZE; i++) {
        float value = x[i];
        for (int step = 0; step < steps; step++)
            value = value * 0.999f + 1;
        y[i] = value;
    }
}

static void up(int block)
{
    float *x = in + (size_t)block * SIZE;
#pragma omp target update to(x[0 : SIZE]) nowait depend(out : x[0])
}

static void down(int block)
{
    float *y = out + (size_t)block * SIZE;
#pragma omp target update from(y[0 : SIZE]) nowait depend(in : y[0])
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 100;
    size_t all = (size_t)BLOCKS * SIZE;
    in = malloc(all * sizeof *in), out = malloc(all * sizeof *out);
    for (size_t i = 0; i < all; i++)
        in[i] = i % 1000, out[i] = 0;
#pragma omp target enter data map(alloc : in[0 : all], out[0 : all])
    for (int round = 0; round < 5; round++) {
        double start = seconds();
        for (int block = 0; block < BLOCKS; block++)
            up(block);
        for (int block = 0; block < BLOCKS; block++)
            down(block);
#pragma omp taskwait
        double copies = seconds() - start;
        start = seconds();
        for (int block = 0; block < BLOCKS; block++)
            kernel(block, steps);
#pragma omp taskwait
        double kernels = seconds() - start;
        start = seconds();
        for (int block = 0; block < BLOCKS; block++) {
            up(block);
            kernel(block, steps);
            down(block);
        }
#pragma omp taskwait
        printf("%.1f %.1f %.1f\n", 1e6 * copies, 1e6 * kernels, 1e6 * (seconds() - start));
    }
#pragma omp target exit data map(delete : in[0 : all], out[0 : all])
    for (size_t i = 0; i < all; i += 997) {
        float value = in[i];
        for (int step = 0; step < steps; step++)
            value = value * 0.999f + 1;
        if (value - out[i] > 1e-2f || out[i] - value > 1e-2f) {
            printf("wrong: element %zu is %g instead of %g\n", i, out[i], value);
            return 1;
        }
    }
    return 0;
}
