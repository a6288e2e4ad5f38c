// Cholesky's factorisation in tiles on the device, each step a target task. Arguments: tiles in a row, and how often
// the host waits: 0 never, 1 after each step. Prints milliseconds. What everything waits for has priority, which
// OMP_MAX_TASK_PRIORITY=1 allows.
#include "clock.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Columns of a tile, of a block of its diagonal that one team factors, and of panels there and elsewhere; rows that a
// team has; rows and columns that a thread has.
enum { SIZE = 512, BLOCK = 128, THIN = 8, PANEL = 16, ROWS = 32, OWN = 8 };

// Elements that are loaded together.
typedef struct __attribute__((aligned(16))) {
    float at[4];
} Four;

// Tiles of the lower triangle, each by columns.
static float *a;
static int waits;

static float *tile(int i, int j)
{
    return a + ((size_t)i * (i + 1) / 2 + j) * SIZE * SIZE;
}

// OWN elements, one after the other.
static inline void load(const float *from, float *to)
{
    for (int n = 0; n < OWN; n += 4) {
        Four four = *(const Four *)(from + n);
        for (int m = 0; m < 4; m++)
            to[n + m] = four.at[m];
    }
}

// Takes products of a row of `x`, of so many columns, and OWN rows of `y` off a row.
static inline void take_off(const float *x, const float *y, float *row, int columns)
{
    float sums[OWN] = { 0 };
    for (int k = 0; k < columns; k++) {
        float own = x[k * SIZE], others[OWN];
        load(y + k * SIZE, others);
        for (int n = 0; n < OWN; n++)
            sums[n] += own * others[n];
    }
    for (int n = 0; n < OWN; n++)
        row[n * SIZE] -= sums[n];
}

// A block of a tile. Each thread factors the first rows of a panel for itself, as it needs them for its own row; then
// the panel is taken off the columns behind it.
static void factor(float *t, float *d)
{
#pragma omp target teams num_teams(1) thread_limit(512) nowait priority(1) depend(inout : t[0])
    for (int panel = 0; panel < BLOCK; panel += THIN) {
        float first[THIN][THIN];
#pragma omp parallel for collapse(2)
        for (int c = 0; c < THIN; c++)
            for (int r = 0; r < THIN; r++)
                first[c][r] = d[(panel + c) * SIZE + panel + r];
#pragma omp parallel for
        for (int i = panel; i < BLOCK; i++) {
            float top[THIN][THIN], row[THIN];
            for (int c = 0; c < THIN; c++) {
                row[c] = d[(panel + c) * SIZE + i];
                for (int r = c; r < THIN; r++)
                    top[c][r] = first[c][r];
            }
            for (int c = 0; c < THIN; c++) {
                float inverse = 1 / sqrtf(top[c][c]);
                row[c] *= inverse;
                for (int r = c; r < THIN; r++)
                    top[c][r] *= inverse;
                for (int e = c + 1; e < THIN; e++) {
                    row[e] -= row[c] * top[c][e];
                    for (int r = e; r < THIN; r++)
                        top[e][r] -= top[c][r] * top[c][e];
                }
            }
            for (int c = 0; c < THIN; c++)
                if (panel + c <= i)
                    d[(panel + c) * SIZE + i] = row[c];
        }
#pragma omp parallel for
        for (int j = panel + THIN; j < BLOCK; j += OWN) {
#pragma omp simd
            for (int i = j; i < BLOCK; i++)
                take_off(d + panel * SIZE + i, d + panel * SIZE + j, d + j * SIZE + i, THIN);
        }
    }
}

// Rows `x` of tile `u` by the factor `d` in tile `t`, which has so many columns.
static void solve(float *t, float *d, float *u, float *x, int columns, int rows)
{
#pragma omp target teams distribute num_teams(rows / ROWS) thread_limit(512) nowait priority(1) depend(in : t[0]) \
        depend(inout : u[0])
    for (int first = 0; first < rows; first += ROWS) {
        float inverses[SIZE];
#pragma omp parallel for
        for (int c = 0; c < columns; c++)
            inverses[c] = 1 / d[c * (SIZE + 1)];
        for (int panel = 0; panel < columns; panel += PANEL) {
#pragma omp parallel for
            for (int i = first; i < first + ROWS; i++) {
                float row[PANEL];
                for (int c = 0; c < PANEL; c++)
                    row[c] = x[(panel + c) * SIZE + i];
                for (int c = 0; c < PANEL; c++) {
                    float column[PANEL];
                    for (int n = 0; n < PANEL; n += OWN)
                        load(d + (panel + c) * SIZE + panel + n, column + n);
                    row[c] *= inverses[panel + c];
                    for (int e = c + 1; e < PANEL; e++)
                        row[e] -= row[c] * column[e];
                }
                for (int c = 0; c < PANEL; c++)
                    x[(panel + c) * SIZE + i] = row[c];
            }
#pragma omp parallel for
            for (int j = panel + PANEL; j < columns; j += OWN) {
#pragma omp simd
                for (int i = first; i < first + ROWS; i++)
                    take_off(x + panel * SIZE + i, d + panel * SIZE + j, x + j * SIZE + i, PANEL);
            }
        }
    }
}

// Takes products of rows `x` of a tile of the diagonal, which have a block's columns, off `c` in the same tile.
static void update_block(float *t, float *x, float *c, int rows)
{
#pragma omp target teams distribute parallel for collapse(2) nowait priority(1) depend(inout : t[0])
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < rows; i++) {
            float sum = 0;
            for (int k = 0; k < BLOCK; k++)
                sum += x[k * SIZE + i] * x[k * SIZE + j];
            c[j * SIZE + i] -= sum;
        }
}

// The same with whole tiles. A thread has OWN rows of both, half of its rows of `x` in each half of the tile, so that
// neighbours load what is side by side.
static void update(float *x, float *y, float *c, int urgent)
{
    enum { HALF = SIZE / 2 };
#pragma omp target teams distribute parallel for collapse(2) thread_limit(128) nowait priority(urgent) \
        depend(in : x[0], y[0]) depend(inout : c[0])
    for (int j = 0; j < SIZE; j += OWN)
        for (int i = 0; i < HALF; i += 4) {
            float sums[OWN][OWN] = { 0 };
            for (int k = 0; k < SIZE; k++) {
                Four rows[2] = { *(const Four *)(x + k * SIZE + i), *(const Four *)(x + k * SIZE + HALF + i) };
                float others[OWN];
                load(y + k * SIZE + j, others);
                for (int n = 0; n < OWN; n++)
                    for (int m = 0; m < OWN; m++)
                        sums[n][m] += others[n] * rows[m / 4].at[m % 4];
            }
            for (int n = 0; n < OWN; n++)
                for (int m = 0; m < OWN; m++)
                    c[(j + n) * SIZE + m / 4 * HALF + i + m % 4] -= sums[n][m];
        }
}

static void step_done(void)
{
    if (waits) {
#pragma omp taskwait
    }
}

static void factor_tile(float *t)
{
    for (int at = 0; at < SIZE; at += BLOCK) {
        float *d = t + at * SIZE + at, *below = d + BLOCK, *behind = below + BLOCK * SIZE;
        int rest = SIZE - at - BLOCK;
        factor(t, d);
        step_done();
        if (rest > 0) {
            solve(t, d, t, below, BLOCK, rest);
            step_done();
            update_block(t, below, behind, rest);
            step_done();
        }
    }
}

static void cholesky(int tiles)
{
    for (int k = 0; k < tiles; k++) {
        float *d = tile(k, k);
        factor_tile(d);
        for (int i = k + 1; i < tiles; i++)
            solve(d, d, tile(i, k), tile(i, k), SIZE, SIZE);
        step_done();
        for (int i = k + 1; i < tiles; i++)
            for (int j = k + 1; j <= i; j++)
                update(tile(i, k), tile(j, k), tile(i, j), j == k + 1);
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
