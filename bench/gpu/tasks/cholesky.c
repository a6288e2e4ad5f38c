// Cholesky's factorisation in tiles on the device, each step a target task. Arguments: tiles in a row, and how often
// the host waits: 0 never, 1 after each kind of step. Prints milliseconds. What everything waits for has priority,
// which OMP_MAX_TASK_PRIORITY=1 allows.
#include "clock.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 512, ROWS = 32, PANEL = 16 };

// Tiles of the lower triangle, each by columns.
static float *a;
static int waits;

static float *tile(int i, int j)
{
    return a + ((size_t)i * (i + 1) / 2 + j) * SIZE * SIZE;
}

static void factor(float *d)
{
#pragma omp target teams num_teams(1) thread_limit(1024) nowait priority(1) depend(inout : d[0])
    for (int panel = 0; panel < SIZE; panel += PANEL) {
        int behind = panel + PANEL;
        for (int k = panel; k < behind; k++) {
            float root = sqrtf(d[k * SIZE + k]);
#pragma omp parallel for
            for (int i = k; i < SIZE; i++)
                d[k * SIZE + i] = i == k ? root : d[k * SIZE + i] / root;
#pragma omp parallel for
            for (int j = k + 1; j < behind; j++) {
#pragma omp simd
                for (int i = j; i < SIZE; i++)
                    d[j * SIZE + i] -= d[k * SIZE + i] * d[k * SIZE + j];
            }
        }
#pragma omp parallel for
        for (int j = behind; j < SIZE; j++) {
#pragma omp simd
            for (int i = j; i < SIZE; i++) {
                float sum = 0;
                for (int k = panel; k < behind; k++)
                    sum += d[k * SIZE + i] * d[k * SIZE + j];
                d[j * SIZE + i] -= sum;
            }
        }
    }
}

static void solve(float *d, float *x)
{
#pragma omp target teams distribute num_teams(SIZE / ROWS) thread_limit(512) nowait priority(1) depend(in : d[0]) \
        depend(inout : x[0])
    for (int block = 0; block < SIZE / ROWS; block++)
        for (int panel = 0; panel < SIZE; panel += PANEL) {
            int first = block * ROWS, behind = panel + PANEL;
#pragma omp parallel for
            for (int i = first; i < first + ROWS; i++)
                for (int j = panel; j < behind; j++) {
                    float sum = x[j * SIZE + i];
                    for (int k = panel; k < j; k++)
                        sum -= x[k * SIZE + i] * d[k * SIZE + j];
                    x[j * SIZE + i] = sum / d[j * SIZE + j];
                }
#pragma omp parallel for
            for (int j = behind; j < SIZE; j++) {
#pragma omp simd
                for (int i = first; i < first + ROWS; i++) {
                    float sum = 0;
                    for (int k = panel; k < behind; k++)
                        sum += x[k * SIZE + i] * d[k * SIZE + j];
                    x[j * SIZE + i] -= sum;
                }
            }
        }
}

static void update(float *x, float *y, float *c)
{
#pragma omp target teams distribute parallel for collapse(2) nowait depend(in : x[0], y[0]) depend(inout : c[0])
    for (int j = 0; j < SIZE; j += 4)
        for (int i = 0; i < SIZE; i++) {
            float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
            for (int k = 0; k < SIZE; k++) {
                float row = x[k * SIZE + i], *column = y + k * SIZE + j;
                s0 += row * column[0], s1 += row * column[1], s2 += row * column[2], s3 += row * column[3];
            }
            float *sum = c + j * SIZE + i;
            sum[0] -= s0, sum[SIZE] -= s1, sum[2 * SIZE] -= s2, sum[3 * SIZE] -= s3;
        }
}

static void step_done(void)
{
    if (waits) {
#pragma omp taskwait
    }
}

static void cholesky(int tiles)
{
    for (int k = 0; k < tiles; k++) {
        factor(tile(k, k));
        step_done();
        for (int i = k + 1; i < tiles; i++)
            solve(tile(k, k), tile(i, k));
        step_done();
        for (int i = k + 1; i < tiles; i++)
            for (int j = k + 1; j <= i; j++)
                update(tile(i, k), tile(j, k), tile(i, j));
        step_done();
    }
#pragma omp taskwait
}

static double value(long i, long j)
{
    return (i == j ? 2.0 : 0) + 1.0 / (1 + labs(i - j));
}

// How far products of rows of the factor are from the matrix, for some elements.
static double error(int tiles)
{
    long n = (long)tiles * SIZE;
    double worst = 0;
    for (long i = n - 1; i >= 0; i -= 1 + n / 7)
        for (long j = i; j >= 0; j -= 1 + n / 11) {
            double sum = 0;
            for (long k = 0; k <= j; k++) {
                float *x = tile(i / SIZE, k / SIZE), *y = tile(j / SIZE, k / SIZE);
                sum += (double)x[k % SIZE * SIZE + i % SIZE] * y[k % SIZE * SIZE + j % SIZE];
            }
            worst = fmax(worst, fabs(sum - value(i, j)));
        }
    return worst;
}

int main(int argc, char **argv)
{
    int tiles = argc > 1 ? atoi(argv[1]) : 4;
    waits = argc > 2 && atoi(argv[2]);
    size_t all = (size_t)tiles * (tiles + 1) / 2 * SIZE * SIZE;
    a = malloc(all * sizeof *a);
    for (int i = 0; i < tiles; i++)
        for (int j = 0; j <= i; j++)
            for (int y = 0; y < SIZE; y++)
                for (int x = 0; x < SIZE; x++)
                    tile(i, j)[y * SIZE + x] = value((long)i * SIZE + x, (long)j * SIZE + y);
#pragma omp target enter data map(alloc : a[0 : all])
    for (int round = 0; round < 4; round++) {
#pragma omp target update to(a[0 : all])
        double start = seconds();
        cholesky(tiles);
        printf("%.3f\n", 1e3 * (seconds() - start));
    }
#pragma omp target exit data map(from : a[0 : all])
    double worst = error(tiles);
    if (!(worst < 1e-4)) {
        printf("wrong: differs by %g\n", worst);
        return 1;
    }
    return 0;
}
