// Ordinary loops over data that is on the device, each in a function of its own; the names are those of loops.cu. Prints a
// checksum for each: what the device computed is what `-fno-openacc` prints, but for the last bits of sums and roots.
//
//     loops [ROUNDS]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    N = 1 << 26,       // elements of vectors
    SIDE = 8192,       // of planes
    EDGE = 512,        // of cubes
    ORDER = 2048,      // of matrices
    BODIES = 1 << 15,
    NODES = 1 << 20,   // rows of the sparse matrix
    PER_ROW = 24,      // entries of each
    BINS = 256,
    PIXELS = 2048,
    MOST_STEPS = 256
};

static float *a, *b, *c;
static int *index_of;

static void saxpy(int n, float factor, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(x[0:n], y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = factor * x[i] + y[i];
}

static void triad(int n, const float *restrict x, const float *restrict y, float *restrict z)
{
#pragma acc parallel loop present(x[0:n], y[0:n], z[0:n])
    for (int i = 0; i < n; i++)
        z[i] = x[i] + 3.0f * y[i];
}

static void gather(int n, const int *restrict from, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(from[0:n], x[0:n], y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = x[from[i]];
}

static void plane_stencil(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(x[0:n * n], y[0:n * n])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            y[i * n + j] = 0.25f * (x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1] + x[i * n + j + 1]);
}

static void rows_stencil(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang present(x[0:n * n], y[0:n * n])
    for (int i = 1; i < n - 1; i++)
#pragma acc loop vector
        for (int j = 1; j < n - 1; j++)
            y[i * n + j] = 0.25f * (x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1] + x[i * n + j + 1]);
}

static void cube_stencil(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(3) present(x[0:n * n * n], y[0:n * n * n])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                int at = (i * n + j) * n + k;
                y[at] = x[at - n * n] + x[at + n * n] + x[at - n] + x[at + n] + x[at - 1] + x[at + 1] - 6.0f * x[at];
            }
}

static void transpose(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(x[0:n * n], y[0:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[j * n + i] = x[i * n + j];
}

static void matmul(int n, const float *restrict x, const float *restrict y, float *restrict z)
{
#pragma acc parallel loop collapse(2) present(x[0:n * n], y[0:n * n], z[0:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += x[i * n + k] * y[k * n + j];
            z[i * n + j] = sum;
        }
}

static void bodies(int n, const float *restrict x, const float *restrict y, float *restrict force)
{
#pragma acc parallel loop present(x[0:n], y[0:n], force[0:n])
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < n; j++) {
            float dx = x[j] - x[i], dy = y[j] - y[i];
            float distance = dx * dx + dy * dy + 0.01f;
            sum += dx / (distance * sqrtf(distance));
        }
        force[i] = sum;
    }
}

static void sparse(int n, const int *restrict column, const float *restrict value, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang worker vector_length(32) present(column, value, x, y)
    for (int i = 0; i < n; i++) {
        float sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int k = 0; k < PER_ROW; k++)
            sum += value[i * PER_ROW + k] * x[column[i * PER_ROW + k]];
        y[i] = sum;
    }
}

static void histogram(int n, const int *restrict x, int *restrict count)
{
#pragma acc parallel loop present(x[0:n], count[0:BINS])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        count[x[i] & (BINS - 1)]++;
    }
}

static void escape(int n, int *restrict steps)
{
#pragma acc parallel loop collapse(2) present(steps[0:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float cr = 3.0f * j / n - 2.0f, ci = 2.0f * i / n - 1.0f, zr = 0, zi = 0;
            int step = 0;
            while (step < MOST_STEPS && zr * zr + zi * zi < 4.0f) {
                float next = zr * zr - zi * zi + cr;
                zi = 2.0f * zr * zi + ci;
                zr = next;
                step++;
            }
            steps[i * n + j] = step;
        }
}

static void options(int n, const float *restrict price, const float *restrict time, float *restrict call)
{
#pragma acc parallel loop present(price[0:n], time[0:n], call[0:n])
    for (int i = 0; i < n; i++) {
        float s = 10.0f + price[i], t = 0.5f + time[i], root = 0.3f * sqrtf(t);
        float d = (logf(s / 12.0f) + (0.02f + 0.045f) * t) / root;
        call[i] = s * 0.5f * erfcf(-d * 0.70710678f) - 12.0f * expf(-0.02f * t) * 0.5f * erfcf((root - d) * 0.70710678f);
    }
}

static void waves(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(x[0:n], y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = sinf(x[i] * 6.0f) * cosf(x[i] * 3.0f) + powf(x[i] + 0.5f, 1.7f);
}

static void check(const char *name, int n, float *restrict x)
{
#pragma acc update self(x[0:n])
    double sum = 0;
    for (int i = 0; i < n; i += 97)
        sum += x[i];
    printf("%s %.6g\n", name, sum);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1, cube = EDGE * EDGE * EDGE;
    a = malloc(sizeof(float) * cube);
    b = malloc(sizeof(float) * cube);
    c = malloc(sizeof(float) * cube);
    index_of = malloc(sizeof(int) * N);
    unsigned state = 1;
    for (int i = 0; i < cube; i++) {
        state = state * 1664525u + 1013904223u;
        a[i] = (state >> 8) * 0x1p-24f;
        b[i] = 1.0f - a[i];
        c[i] = 0;
    }
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        index_of[i] = (state >> 8) % NODES;
    }
    int counts[BINS] = {0}, *steps = malloc(sizeof(int) * PIXELS * PIXELS);
#pragma acc data copyin(a[0:cube], b[0:cube], index_of[0:N]) copy(c[0:cube], counts) copyout(steps[0:PIXELS * PIXELS])
#define CHECKED(name, n, call)                       \
    do {                                             \
        for (int round = 0; round < rounds; round++) \
            call;                                    \
        check(name, n, c);                           \
    } while (0)
    {
        CHECKED("triad", N, triad(N, a, b, c));
        CHECKED("saxpy", N, saxpy(N, 0.5f, a, c));
        CHECKED("gather", N, gather(N, index_of, a, c));
        CHECKED("plane_stencil", SIDE * SIDE, plane_stencil(SIDE, a, c));
        CHECKED("rows_stencil", SIDE * SIDE, rows_stencil(SIDE, b, c));
        CHECKED("cube_stencil", cube, cube_stencil(EDGE, a, c));
        CHECKED("transpose", SIDE * SIDE, transpose(SIDE, a, c));
        CHECKED("matmul", ORDER * ORDER, matmul(ORDER, a, b, c));
        CHECKED("bodies", BODIES, bodies(BODIES, a, b, c));
        CHECKED("sparse", NODES, sparse(NODES, index_of, a, b, c));
        for (int round = 0; round < rounds; round++)
            histogram(N, index_of, counts);
        for (int round = 0; round < rounds; round++)
            escape(PIXELS, steps);
        CHECKED("options", N, options(N, a, b, c));
        CHECKED("waves", N, waves(N, a, c));
    }
    long sum = 0;
    for (int i = 0; i < PIXELS * PIXELS; i++)
        sum += steps[i];
    printf("histogram %d %d\nescape %ld\n", counts[0] / rounds, counts[BINS - 1] / rounds, sum);
    return 0;
}
