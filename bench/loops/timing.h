/* The main of every loop: PROGRAM N REPETITIONS prints the best time in seconds, and a value to compare.

   A loop defines setup(n), which allocates and fills, and kernel(n), which is timed. The data are reached through
   pointers with external linkage, so that no compiler may take the repetitions for one. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void setup(long n);
double kernel(long n);

static inline void *array(size_t count, size_t size)
{
    void *p = aligned_alloc(64, (count * size + 63) / 64 * 64);
    if (!p) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    return p;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 1000, repetitions = argc > 2 ? atol(argv[2]) : 1;
    double best = 1e30, value = 0;
    setup(n);
    for (long i = 0; i < repetitions; i++) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        value = kernel(n);
        clock_gettime(CLOCK_MONOTONIC, &end);
        double seconds = (end.tv_sec - start.tv_sec) + 1e-9 * (end.tv_nsec - start.tv_nsec);
        best = seconds < best ? seconds : best;
    }
    printf("%.9f %.10g\n", best, value);
    return 0;
}
