// Programs of many small kernels, as time steps and iterations make them. Each prints the microseconds of a step, the best of
// several rounds, and a sum of what it has computed. The same in CUDA, with launches and as graphs: steps.cu.
#include "../tasks/clock.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 256, CELLS = N * N, ROUNDS = 5, STEPS = 400, LEVELS = 7, DIRECTIONS = 9 };

static double *array(int n)
{
    double *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = 0;
    return a;
}

static double total(const double *a, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * (1 + i % 7);
    return sum;
}

static void start(double *a)
{
    for (int i = 0; i < CELLS; i++)
        a[i] = i % 13 * 0.1 + (i / N % 5) * 0.2;
}

// The host waits for each step, as far as the program says.
static double heat(double *sum)
{
    double *a = array(CELLS), *b = array(CELLS), best = INFINITY;
    start(a);
#pragma acc data copy(a[0:CELLS]) copyin(b[0:CELLS])
    for (int r = 0; r < ROUNDS; r++) {
        double begin = seconds();
        for (int s = 0; s < STEPS; s++) {
            double *from = s % 2 ? b : a, *to = s % 2 ? a : b;
#pragma acc parallel loop collapse(2) present(from[0:CELLS], to[0:CELLS])
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < N - 1; j++)
                    to[i * N + j] = 0.2 * (from[i * N + j] + from[i * N + j - 1] + from[i * N + j + 1] + from[(i - 1) * N + j] + from[(i + 1) * N + j]);
        }
        best = fmin(best, (seconds() - begin) / STEPS);
    }
    *sum = total(a, CELLS);
    free(a), free(b);
    return best;
}

// Shallow water on a periodic grid: three kernels a step, on a queue.
static double water(double *sum)
{
    double *h = array(CELLS), *u = array(CELLS), *v = array(CELLS), best = INFINITY;
    start(h);
#pragma acc data copy(h[0:CELLS]) copyin(u[0:CELLS], v[0:CELLS])
    for (int r = 0; r < ROUNDS; r++) {
        double begin = seconds();
        for (int s = 0; s < STEPS; s++) {
#pragma acc parallel loop collapse(2) present(h[0:CELLS], u[0:CELLS]) async(1)
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++)
                    u[i * N + j] -= 0.01 * (h[i * N + (j + 1) % N] - h[i * N + j]);
#pragma acc parallel loop collapse(2) present(h[0:CELLS], v[0:CELLS]) async(1)
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++)
                    v[i * N + j] -= 0.01 * (h[(i + 1) % N * N + j] - h[i * N + j]);
#pragma acc parallel loop collapse(2) present(h[0:CELLS], u[0:CELLS], v[0:CELLS]) async(1)
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++)
                    h[i * N + j] -= 0.01 * (u[i * N + j] - u[i * N + (j + N - 1) % N] + v[i * N + j] - v[(i + N - 1) % N * N + j]);
        }
#pragma acc wait(1)
        best = fmin(best, (seconds() - begin) / STEPS);
    }
    *sum = total(h, CELLS);
    free(h), free(u), free(v);
    return best;
}

static void laplacian(const double *p, double *q, double *pq)
{
    double sum = 0;
#pragma acc parallel loop collapse(2) present(p[0:CELLS], q[0:CELLS]) reduction(+ : sum)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double left = j > 0 ? p[i * N + j - 1] : 0, right = j < N - 1 ? p[i * N + j + 1] : 0;
            double up = i > 0 ? p[(i - 1) * N + j] : 0, down = i < N - 1 ? p[(i + 1) * N + j] : 0;
            double value = 4.1 * p[i * N + j] - left - right - up - down;
            q[i * N + j] = value;
            sum += p[i * N + j] * value;
        }
    *pq = sum;
}

// Conjugate gradients: two sums a step come to the host.
static double gradients(double *sum)
{
    double *x = array(CELLS), *r = array(CELLS), *p = array(CELLS), *q = array(CELLS), best = INFINITY;
    start(r);
    start(p);
#pragma acc data copy(x[0:CELLS]) copyin(r[0:CELLS], p[0:CELLS], q[0:CELLS])
    for (int round = 0; round < ROUNDS; round++) {
        double rr = 0, pq, begin = seconds();
#pragma acc parallel loop present(r[0:CELLS]) reduction(+ : rr)
        for (int i = 0; i < CELLS; i++)
            rr += r[i] * r[i];
        for (int s = 0; s < STEPS / 8; s++) {
            laplacian(p, q, &pq);
            double alpha = pq > 0 ? rr / pq : 0, next = 0;
#pragma acc parallel loop present(x[0:CELLS], p[0:CELLS], r[0:CELLS], q[0:CELLS]) reduction(+ : next)
            for (int i = 0; i < CELLS; i++) {
                x[i] += alpha * p[i];
                r[i] -= alpha * q[i];
                next += r[i] * r[i];
            }
            double beta = rr > 0 ? next / rr : 0;
            rr = next;
#pragma acc parallel loop present(p[0:CELLS], r[0:CELLS])
            for (int i = 0; i < CELLS; i++)
                p[i] = r[i] + beta * p[i];
        }
        best = fmin(best, (seconds() - begin) / (STEPS / 8));
    }
    *sum = total(x, CELLS);
    free(x), free(r), free(p), free(q);
    return best;
}

// Multigrid: V-cycles over levels in one array, from N + 1 down.
static int size[LEVELS], offset[LEVELS + 1];

static void smooth(int n, double *x, const double *b, double *y)
{
#pragma acc parallel loop collapse(2) present(x[0:n * n], b[0:n * n], y[0:n * n])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            y[i * n + j] = x[i * n + j] + 0.8 * 0.25 * (b[i * n + j] - 4 * x[i * n + j] + x[i * n + j - 1] + x[i * n + j + 1] + x[(i - 1) * n + j] + x[(i + 1) * n + j]);
}

static void restrict_residual(int n, const double *x, const double *b, int m, double *coarse, double *guess)
{
#pragma acc parallel loop collapse(2) present(x[0:n * n], b[0:n * n], coarse[0:m * m], guess[0:m * m])
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            int at = 2 * i * n + 2 * j;
            coarse[i * m + j] = b[at] - 4 * x[at] + x[at - 1] + x[at + 1] + x[at - n] + x[at + n];
            guess[i * m + j] = 0;
        }
}

static void prolong(int n, double *x, int m, const double *coarse)
{
#pragma acc parallel loop collapse(2) present(x[0:n * n], coarse[0:m * m])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            x[i * n + j] += 0.25 * (coarse[i / 2 * m + j / 2] + coarse[(i + 1) / 2 * m + j / 2] + coarse[i / 2 * m + (j + 1) / 2] + coarse[(i + 1) / 2 * m + (j + 1) / 2]);
}

static double multigrid(double *sum)
{
    for (int l = 0; l < LEVELS; l++) {
        size[l] = (N >> l) + 1;
        offset[l + 1] = offset[l] + size[l] * size[l];
    }
    int all = offset[LEVELS];
    double *x = array(all), *b = array(all), *y = array(all), best = INFINITY;
    for (int i = 0; i < size[0] * size[0]; i++)
        b[i] = i % 11 * 0.1 - 0.5;
#pragma acc data copy(x[0:all]) copyin(b[0:all], y[0:all])
    for (int r = 0; r < ROUNDS; r++) {
        double begin = seconds();
        for (int s = 0; s < STEPS / 8; s++) {
            for (int l = 0; l < LEVELS; l++) {
                smooth(size[l], x + offset[l], b + offset[l], y + offset[l]);
                smooth(size[l], y + offset[l], b + offset[l], x + offset[l]);
                if (l + 1 < LEVELS)
                    restrict_residual(size[l], x + offset[l], b + offset[l], size[l + 1], b + offset[l + 1], x + offset[l + 1]);
            }
            for (int l = LEVELS - 2; l >= 0; l--) {
                prolong(size[l], x + offset[l], size[l + 1], x + offset[l + 1]);
                smooth(size[l], x + offset[l], b + offset[l], y + offset[l]);
                smooth(size[l], y + offset[l], b + offset[l], x + offset[l]);
            }
        }
#pragma acc wait
        best = fmin(best, (seconds() - begin) / (STEPS / 8));
    }
    *sum = total(x, size[0] * size[0]);
    free(x), free(b), free(y);
    return best;
}

// Lattice Boltzmann: a kernel that streams and collides, and one for the lid.
static double lattice(double *sum)
{
    static const int dx[DIRECTIONS] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[DIRECTIONS] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    static const double weight[DIRECTIONS] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
    double *f = array(DIRECTIONS * CELLS), *g = array(DIRECTIONS * CELLS), best = INFINITY;
    for (int d = 0; d < DIRECTIONS; d++)
        for (int i = 0; i < CELLS; i++)
            f[d * CELLS + i] = weight[d] * (1 + i % 17 * 0.001);
#pragma acc data copy(f[0:DIRECTIONS * CELLS]) copyin(g[0:DIRECTIONS * CELLS])
    for (int r = 0; r < ROUNDS; r++) {
        double begin = seconds();
        for (int s = 0; s < STEPS; s++) {
            double *from = s % 2 ? g : f, *to = s % 2 ? f : g;
#pragma acc parallel loop collapse(2) present(from[0:DIRECTIONS * CELLS], to[0:DIRECTIONS * CELLS]) async(1)
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++) {
                    double value[DIRECTIONS], density = 0, x = 0, y = 0;
                    for (int d = 0; d < DIRECTIONS; d++) {
                        value[d] = from[d * CELLS + (i - dy[d] + N) % N * N + (j - dx[d] + N) % N];
                        density += value[d];
                        x += value[d] * dx[d];
                        y += value[d] * dy[d];
                    }
                    x /= density, y /= density;
                    for (int d = 0; d < DIRECTIONS; d++) {
                        double along = 3 * (x * dx[d] + y * dy[d]);
                        double rest = weight[d] * density * (1 + along + 0.5 * along * along - 1.5 * (x * x + y * y));
                        to[d * CELLS + i * N + j] = value[d] - 0.6 * (value[d] - rest);
                    }
                }
#pragma acc parallel loop present(to[0:DIRECTIONS * CELLS]) async(1)
            for (int j = 0; j < N; j++) {
                to[5 * CELLS + j] += 0.0001;
                to[6 * CELLS + j] -= 0.0001;
            }
        }
#pragma acc wait(1)
        best = fmin(best, (seconds() - begin) / STEPS);
    }
    *sum = total(f, CELLS);
    free(f), free(g);
    return best;
}

// A step of a particle method on a few thousand particles: four short kernels that depend on each other.
static double particles(double *sum)
{
    enum { PARTICLES = 4096 };
    double *x = array(PARTICLES), *v = array(PARTICLES), *force = array(PARTICLES), best = INFINITY;
    for (int i = 0; i < PARTICLES; i++)
        x[i] = i * 0.01 + i % 3 * 0.001;
#pragma acc data copy(x[0:PARTICLES]) copyin(v[0:PARTICLES], force[0:PARTICLES])
    for (int r = 0; r < ROUNDS; r++) {
        double begin = seconds();
        for (int s = 0; s < STEPS; s++) {
#pragma acc parallel loop present(x[0:PARTICLES], v[0:PARTICLES], force[0:PARTICLES])
            for (int i = 0; i < PARTICLES; i++)
                v[i] += 0.005 * force[i];
#pragma acc parallel loop present(x[0:PARTICLES], v[0:PARTICLES])
            for (int i = 0; i < PARTICLES; i++)
                x[i] += 0.01 * v[i];
#pragma acc parallel loop present(x[0:PARTICLES], force[0:PARTICLES])
            for (int i = 0; i < PARTICLES; i++) {
                double left = i > 0 ? x[i] - x[i - 1] - 0.01 : 0, right = i < PARTICLES - 1 ? x[i + 1] - x[i] - 0.01 : 0;
                force[i] = right - left;
            }
#pragma acc parallel loop present(v[0:PARTICLES], force[0:PARTICLES])
            for (int i = 0; i < PARTICLES; i++)
                v[i] = 0.9999 * (v[i] + 0.005 * force[i]);
        }
#pragma acc wait
        best = fmin(best, (seconds() - begin) / STEPS);
    }
    *sum = total(x, PARTICLES);
    free(x), free(v), free(force);
    return best;
}

int main(void)
{
    struct {
        const char *name;
        double (*run)(double *);
    } programs[] = {{"heat", heat}, {"water", water}, {"gradients", gradients}, {"multigrid", multigrid}, {"lattice", lattice}, {"particles", particles}};
    for (int i = 0; i < 6; i++) {
        double sum, time = programs[i].run(&sum);
        printf("%s %.3f %.9g\n", programs[i].name, time * 1e6, sum);
        fflush(stdout);
    }
    return 0;
}
