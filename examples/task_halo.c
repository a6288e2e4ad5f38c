// A stencil on a line that is divided into parts. A part of the next step needs the same part and both
// neighbours of this step, which is all that `depend` says: there is no barrier between the steps.
// Needs `-fopenmp`; plain C computes the same.
// options: -fopenmp
#include <stdio.h>

enum { PARTS = 6, SIZE = 50, N = PARTS * SIZE, STEPS = 20 };
// A cell more at both ends, which stays 0. The parts with the numbers 0 and PARTS + 1 are outside of the line.
static double line[2][N + 2];
static char part[2][PARTS + 2];

int main(void)
{
    line[0][N / 2] = 1024;
#pragma omp parallel
#pragma omp single
    for (int step = 0; step < STEPS; step++) {
        int from = step % 2, to = 1 - from;
        for (int p = 1; p <= PARTS; p++) {
#pragma omp task depend(in : part[from][p - 1], part[from][p], part[from][p + 1]) depend(out : part[to][p])
            for (int i = 1 + (p - 1) * SIZE; i <= p * SIZE; i++)
                line[to][i] = 0.25 * line[from][i - 1] + 0.5 * line[from][i] + 0.25 * line[from][i + 1];
        }
    }
    double sum = 0;
    for (int i = 1; i <= N; i++)
        sum += line[STEPS % 2][i];
    printf("sum %g, middle %.6f\n", sum, line[STEPS % 2][N / 2]);
    return 0;
}
