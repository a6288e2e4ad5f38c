// More ordinary loops over data that is on the device, as one writes them with OpenACC: nests, rows, tables, structures, bytes.
// Each is in a function of its own; names and sizes are those of nests.cu. Prints a checksum for each.
//
//     nests [ROUNDS]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "nests.h"
#include "checked.h"

typedef struct particle particle;
typedef struct number number;
typedef struct colour colour;

static void permute(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(3) present(x, y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                y[(k * n + i) * n + j] = x[(i * n + j) * n + k];
}

static void swap_planes(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(3) present(x, y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                y[(k * n + j) * n + i] = x[(i * n + j) * n + k];
}

static void transpose_double(int n, const double *restrict x, double *restrict y)
{
#pragma acc parallel loop gang worker present(x, y)
    for (int i = 0; i < n; i++)
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            y[(long)j * n + i] = x[(long)i * n + j];
}

static void row_softmax(int rows, int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang present(x, y)
    for (int i = 0; i < rows; i++) {
        float most = -INFINITY, sum = 0;
#pragma acc loop vector reduction(max:most)
        for (int j = 0; j < n; j++)
            most = fmaxf(most, x[i * n + j]);
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < n; j++)
            sum += expf(x[i * n + j] - most);
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            y[i * n + j] = expf(x[i * n + j] - most) / sum;
    }
}

static void short_softmax(int rows, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang present(x, y)
    for (int i = 0; i < rows; i++) {
        float most = -INFINITY, sum = 0;
#pragma acc loop vector reduction(max:most)
        for (int j = 0; j < SHORT; j++)
            most = fmaxf(most, x[i * SHORT + j]);
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < SHORT; j++)
            sum += expf(x[i * SHORT + j] - most);
#pragma acc loop vector
        for (int j = 0; j < SHORT; j++)
            y[i * SHORT + j] = expf(x[i * SHORT + j] - most) / sum;
    }
}

static void row_sums(int rows, int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang present(x, y)
    for (int i = 0; i < rows; i++) {
        float sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < n; j++)
            sum += x[i * n + j];
        y[i] = sum;
    }
}

static void short_row_sums(int rows, int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang present(x, y)
    for (int i = 0; i < rows; i++) {
        float sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < n; j++)
            sum += x[i * n + j];
        y[i] = sum;
    }
}

static void row_extremes(int rows, int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang vector_length(128) present(x, y)
    for (int i = 0; i < rows; i++) {
        float sum = 0, most = -INFINITY;
#pragma acc loop vector reduction(+:sum) reduction(max:most)
        for (int j = 0; j < n; j++) {
            sum += x[i * n + j];
            most = fmaxf(most, x[i * n + j]);
        }
        y[i] = sum * most;
    }
}

static void row_argmax(int rows, int n, const float *restrict x, int *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < rows; i++) {
        int at = 0;
        float most = x[i * n];
        for (int j = 1; j < n; j++)
            if (x[i * n + j] > most) {
                most = x[i * n + j];
                at = j;
            }
        y[i] = at;
    }
}

static void column_sums(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int i = 0; i < n; i++)
            sum += x[i * n + j];
        y[j] = sum;
    }
}

static void matrix_vector(int n, const float *restrict m, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang present(m, x, y)
    for (int i = 0; i < n; i++) {
        float sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < n; j++)
            sum += m[i * n + j] * x[j];
        y[i] = sum;
    }
}

static void row_prefix(int rows, int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < rows; i++) {
        float sum = 0;
        for (int j = 0; j < n; j++) {
            sum += x[i * n + j];
            y[i * n + j] = sum;
        }
    }
}

static void convolution(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, y)
    for (int i = 2; i < n - 2; i++)
        for (int j = 2; j < n - 2; j++) {
            float sum = 0;
            for (int k = -2; k <= 2; k++)
                for (int l = -2; l <= 2; l++)
                    sum += blur[k + 2][l + 2] * x[(i + k) * n + j + l];
            y[i * n + j] = sum / 256;
        }
}

static void nine_point(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, y)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            y[i * n + j] = 0.5f * x[i * n + j] +
                           0.1f * (x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1] + x[i * n + j + 1]) +
                           0.025f * (x[(i - 1) * n + j - 1] + x[(i - 1) * n + j + 1] + x[(i + 1) * n + j - 1] + x[(i + 1) * n + j + 1]);
}

static void cube_27(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(3) present(x, y)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                float sum = 0;
                for (int di = -1; di <= 1; di++)
                    for (int dj = -1; dj <= 1; dj++)
                        for (int dk = -1; dk <= 1; dk++)
                            sum += x[((i + di) * n + j + dj) * n + k + dk];
                y[(i * n + j) * n + k] = sum / 27;
            }
}

static void varying_stencil(int n, const float *restrict w, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang present(w, x, y)
    for (int i = 1; i < n - 1; i++)
#pragma acc loop vector
        for (int j = 1; j < n - 1; j++) {
            int at = i * n + j;
            y[at] = x[at] + w[at] * (x[at - 1] + x[at + 1] + x[at - n] + x[at + n] - 4 * x[at]);
        }
}

static void jacobi_double(int n, const double *restrict x, double *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, y)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            y[i * n + j] = 0.25 * (x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1] + x[i * n + j + 1]);
}

static float residual(int n, const float *restrict x, float *restrict y)
{
    float most = 0;
#pragma acc parallel loop collapse(2) reduction(max:most) present(x, y)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            float next = 0.25f * (x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1] + x[i * n + j + 1]);
            most = fmaxf(most, fabsf(next - x[i * n + j]));
            y[i * n + j] = next;
        }
    return most;
}

static void stencil_kernels(int n, const float *restrict x, float *restrict y)
{
#pragma acc kernels present(x[0:n * n], y[0:n * n])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            y[i * n + j] = 0.2f * (x[i * n + j] + x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1] + x[i * n + j + 1]);
}

static void lattice(int n, const float *restrict f, float *restrict g)
{
    int cells = n * n;
#pragma acc parallel loop collapse(2) present(f, g)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            float in[9], density = 0, u = 0, v = 0;
            for (int q = 0; q < 9; q++) {
                in[q] = f[q * cells + (i - step_y[q]) * n + j - step_x[q]];
                density += in[q];
                u += step_x[q] * in[q];
                v += step_y[q] * in[q];
            }
            u /= density;
            v /= density;
            float square = 1.5f * (u * u + v * v);
            for (int q = 0; q < 9; q++) {
                float along = 3 * (step_x[q] * u + step_y[q] * v);
                float rest = part[q] * density * (1 + along + 0.5f * along * along - square);
                g[q * cells + i * n + j] = in[q] + 0.6f * (rest - in[q]);
            }
        }
}

static void upwind(int n, const float *restrict u, const float *restrict v, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(u, v, x, y)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int at = i * n + j;
            float a = u[at] - 0.5f, b = v[at] - 0.5f, dx, dy;
            if (a > 0)
                dx = x[at] - x[at - 1];
            else
                dx = x[at + 1] - x[at];
            if (b > 0)
                dy = x[at] - x[at - n];
            else
                dy = x[at + n] - x[at];
            y[at] = x[at] - 0.1f * (a * dx + b * dy);
        }
}

static void fields(int n, const float *restrict hx, const float *restrict hy, float *restrict ez)
{
#pragma acc parallel loop gang present(hx, hy, ez)
    for (int i = 1; i < n; i++)
#pragma acc loop vector
        for (int j = 1; j < n; j++)
            ez[i * n + j] += 0.5f * (hy[i * n + j] - hy[i * n + j - 1] - hx[i * n + j] + hx[(i - 1) * n + j]);
}

static void nearest_centre(int n, const float *restrict x, const float *restrict centre, int *restrict to)
{
#pragma acc parallel loop present(x, centre, to)
    for (int i = 0; i < n; i++) {
        float best = INFINITY;
        int at = 0;
        for (int k = 0; k < CENTRES; k++) {
            float distance = 0;
            for (int d = 0; d < 3; d++) {
                float by = x[i * 3 + d] - centre[k * 3 + d];
                distance += by * by;
            }
            if (distance < best) {
                best = distance;
                at = k;
            }
        }
        to[i] = at;
    }
}

static void nearest_point(int n, const float *restrict x, const float *restrict y, float *restrict least)
{
#pragma acc parallel loop present(x, y, least)
    for (int i = 0; i < n; i++) {
        float best = INFINITY;
        for (int j = 0; j < n; j++) {
            float dx = x[j] - x[i], dy = y[j] - y[i], distance = dx * dx + dy * dy;
            if (j != i && distance < best)
                best = distance;
        }
        least[i] = sqrtf(best);
    }
}

static void move(int n, const float *restrict force, particle *restrict p)
{
#pragma acc parallel loop present(force, p)
    for (int i = 0; i < n; i++) {
        p[i].vx += 0.01f * force[i];
        p[i].vy -= 0.01f * force[i];
        p[i].vz += 0.02f * force[i];
        p[i].x += 0.1f * p[i].vx;
        p[i].y += 0.1f * p[i].vy;
        p[i].z += 0.1f * p[i].vz;
    }
}

static void multiply(int n, const number *restrict x, const number *restrict y, number *restrict z)
{
#pragma acc parallel loop present(x, y, z)
    for (int i = 0; i < n; i++) {
        z[i].re = x[i].re * y[i].re - x[i].im * y[i].im;
        z[i].im = x[i].re * y[i].im + x[i].im * y[i].re;
    }
}

static void byte_histogram(int n, const unsigned char *restrict x, int *restrict count)
{
#pragma acc parallel loop present(x, count[0:256])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        count[x[i]]++;
    }
}

static void plane_histogram(int n, const float *restrict x, const float *restrict y, int *restrict count)
{
#pragma acc parallel loop present(x, y, count[0:BINS * BINS])
    for (int i = 0; i < n; i++) {
        int row = y[i] * BINS, column = x[i] * BINS;
#pragma acc atomic update
        count[row * BINS + column]++;
    }
}

static void weighted_histogram(int n, int bins, const int *restrict at, const float *restrict w, float *restrict sum)
{
#pragma acc parallel loop present(at, w, sum)
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        sum[at[i] % bins] += w[i];
    }
}

static void scatter(int n, const int *restrict to, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(to, x, y)
    for (int i = 0; i < n; i++)
        y[to[i]] = x[i];
}

static void sparse_rows(int n, const int *restrict start, const int *restrict column, const float *restrict value, const float *restrict x,
                        float *restrict y)
{
#pragma acc parallel loop present(start, column, value, x, y)
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

static void sparse_lanes(int n, const int *restrict start, const int *restrict column, const float *restrict value, const float *restrict x,
                         float *restrict y)
{
#pragma acc parallel loop gang present(start, column, value, x, y)
    for (int i = 0; i < n; i++) {
        float sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

static void small_products(int n, const float *restrict x, const float *restrict y, float *restrict z)
{
#pragma acc parallel loop present(x, y, z)
    for (int m = 0; m < n; m++)
        for (int i = 0; i < SMALL; i++)
            for (int j = 0; j < SMALL; j++) {
                float sum = 0;
                for (int k = 0; k < SMALL; k++)
                    sum += x[(m * SMALL + i) * SMALL + k] * y[(m * SMALL + k) * SMALL + j];
                z[(m * SMALL + i) * SMALL + j] = sum;
            }
}

static void tile_products(int n, const float *restrict x, const float *restrict y, float *restrict z)
{
#pragma acc parallel loop collapse(3) present(x, y, z)
    for (int m = 0; m < n; m++)
        for (int i = 0; i < OF_TILE; i++)
            for (int j = 0; j < OF_TILE; j++) {
                float sum = 0;
                for (int k = 0; k < OF_TILE; k++)
                    sum += x[(m * OF_TILE + i) * OF_TILE + k] * y[(m * OF_TILE + k) * OF_TILE + j];
                z[(m * OF_TILE + i) * OF_TILE + j] = sum;
            }
}

static void product_kernels(int n, const float *restrict x, const float *restrict y, float *restrict z)
{
#pragma acc kernels present(x[0:n * n], y[0:n * n], z[0:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += x[i * n + k] * y[k * n + j];
            z[i * n + j] = sum;
        }
}

static void polynomial(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++) {
        float value = 0;
        for (int k = 7; k >= 0; k--)
            value = value * x[i] + coefficient[k];
        y[i] = value;
    }
}

static void bit_counts(int n, const unsigned *restrict x, int *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++)
        y[i] = __builtin_popcount(x[i]);
}

static void hashes(int n, const unsigned *restrict x, unsigned *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++) {
        unsigned h = x[i];
        for (int round = 0; round < 4; round++) {
            h ^= h >> 16;
            h *= 0x85ebca6bu;
            h ^= h >> 13;
            h *= 0xc2b2ae35u;
            h ^= h >> 16;
        }
        y[i] = h;
    }
}

static void outer_product(int n, const float *restrict x, const float *restrict y, float *restrict z)
{
#pragma acc parallel loop collapse(2) present(x, y, z)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            z[i * n + j] += x[i] * y[j];
}

static void interpolate(int n, const float *restrict table, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(table, x, y)
    for (int i = 0; i < n; i++) {
        float at = x[i] * (ENTRIES - 1);
        int left = (int)at;
        float beyond = at - left;
        y[i] = table[left] * (1 - beyond) + table[left + 1] * beyond;
    }
}

static void capitals(int n, const char *restrict x, char *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++)
        y[i] = x[i] >= 'a' && x[i] <= 'z' ? x[i] - 'a' + 'A' : x[i];
}

static void mix(int n, const short *restrict x, const short *restrict y, short *restrict z)
{
#pragma acc parallel loop present(x, y, z)
    for (int i = 0; i < n; i++) {
        int sum = x[i] + y[i];
        z[i] = sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum;
    }
}

static void grey(int n, const colour *restrict x, unsigned char *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++)
        y[i] = (77 * x[i].r + 150 * x[i].g + 29 * x[i].b) >> 8;
}

static void axpy_double(int n, double factor, const double *restrict x, double *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++)
        y[i] += factor * x[i];
}

static void paths(int n, int k, float *restrict d)
{
#pragma acc parallel loop collapse(2) present(d)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            d[i * n + j] = fminf(d[i * n + j], d[i * n + k] + d[k * n + j]);
}

static void triangle(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang present(x, y)
    for (int i = 0; i < n; i++)
#pragma acc loop vector
        for (int j = 0; j <= i; j++)
            y[i * n + j] = 0.5f * x[i * n + j];
}

static void logistic(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++) {
        float value = x[i];
        for (int step = 0; step < STEPS; step++)
            value = 3.5f * value * (1 - value);
        y[i] = value;
    }
}

static void scale_kernels(int n, const float *restrict x, float *restrict y)
{
#pragma acc kernels present(x[0:n], y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = x[i] > 0.5f ? 2 * x[i] : x[i] * x[i];
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    float *a = malloc(sizeof(float) * N), *b = malloc(sizeof(float) * N), *c = malloc(sizeof(float) * N);
    int *at = malloc(sizeof(int) * N), *to = malloc(sizeof(int) * N), *start = malloc(sizeof(int) * (NODES + 1));
    double *wide = malloc(sizeof(double) * (N / 2));
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        a[i] = (state >> 8) * 0x1p-24f;
        b[i] = 1.0f - a[i];
        at[i] = (state >> 4) % NODES;
        to[i] = (int)((unsigned)i * 40503u % N);
        wide[i / 2] = a[i];
    }
    start[0] = 0;
    for (int i = 0; i < NODES; i++)
        start[i + 1] = start[i] + 8 + at[i] % (MOST_PER_ROW - 7);
#pragma acc data copyin(a[0:N], b[0:N], at[0:N], to[0:N], wide[0:N / 2], start[0:NODES + 1]) copyout(c[0:N])
    {
        CHECKED("permute", float, EDGE * EDGE * EDGE, permute(EDGE, a, c));
        CHECKED("swap_planes", float, EDGE * EDGE * EDGE, swap_planes(EDGE, a, c));
        CHECKED("transpose_double", double, PLANE * PLANE, transpose_double(PLANE, wide, (double *)c));
        CHECKED("row_softmax", float, LONG_ROWS * LONG, row_softmax(LONG_ROWS, LONG, a, c));
        CHECKED("short_softmax", float, ROWS * SHORT, short_softmax(ROWS, a, c));
        CHECKED("row_sums", float, LONG_ROWS, row_sums(LONG_ROWS, LONG, a, c));
        CHECKED("short_row_sums", float, ROWS, short_row_sums(ROWS, SHORT, a, c));
        CHECKED("row_extremes", float, LONG_ROWS, row_extremes(LONG_ROWS, LONG, a, c));
        CHECKED("row_argmax", int, ROWS, row_argmax(ROWS, SHORT, a, (int *)c));
        CHECKED("column_sums", float, SIDE, column_sums(SIDE, a, c));
        CHECKED("matrix_vector", float, SIDE, matrix_vector(SIDE, a, b, c));
        CHECKED("row_prefix", float, ROWS * SHORT, row_prefix(ROWS, SHORT, a, c));
        CHECKED("convolution", float, SIDE * SIDE, convolution(SIDE, a, c));
        CHECKED("nine_point", float, SIDE * SIDE, nine_point(SIDE, a, c));
        CHECKED("cube_27", float, EDGE * EDGE * EDGE, cube_27(EDGE, a, c));
        CHECKED("varying_stencil", float, SIDE * SIDE, varying_stencil(SIDE, b, a, c));
        CHECKED("jacobi_double", double, PLANE * PLANE, jacobi_double(PLANE, wide, (double *)c));
        CHECKED("residual", float, SIDE * SIDE, residual(SIDE, a, c));
        CHECKED("stencil_kernels", float, SIDE * SIDE, stencil_kernels(SIDE, a, c));
        CHECKED("lattice", float, 9 * 2048 * 2048, lattice(2048, a, c));
        CHECKED("upwind", float, PLANE * PLANE, upwind(PLANE, a, b, a + PLANE * PLANE, c));
        CHECKED("fields", float, PLANE * PLANE, fields(PLANE, a, b, c));
        CHECKED("nearest_centre", int, POINTS, nearest_centre(POINTS, a, b, (int *)c));
        CHECKED("nearest_point", float, TARGETS, nearest_point(TARGETS, a, b + 77, c));
        CHECKED("move", float, 6 * (1 << 23), move(1 << 23, a, (particle *)c));
        CHECKED("multiply", float, N, multiply(N / 2, (number *)a, (number *)b, (number *)c));
        CHECKED("byte_histogram", int, 256, byte_histogram(N, (unsigned char *)at, (int *)c));
        CHECKED("plane_histogram", int, BINS *BINS, plane_histogram(N - 1, a, a + 1, (int *)c));
        CHECKED("weighted_histogram", float, CELLS, weighted_histogram(N, CELLS, at, a, c));
        CHECKED("scatter", float, N, scatter(N, to, a, c));
        CHECKED("sparse_rows", float, NODES, sparse_rows(NODES, start, at, a, b, c));
        CHECKED("sparse_lanes", float, NODES, sparse_lanes(NODES, start, at, a, b, c));
        CHECKED("small_products", float, MATRICES * 9, small_products(MATRICES, a, b, c));
        CHECKED("tile_products", float, TILES * 64, tile_products(TILES, a, b, c));
        CHECKED("product_kernels", float, 2048 * 2048, product_kernels(2048, a, b, c));
        CHECKED("polynomial", float, N, polynomial(N, a, c));
        CHECKED("bit_counts", int, N, bit_counts(N, (unsigned *)at, (int *)c));
        CHECKED("hashes", unsigned, N, hashes(N, (unsigned *)at, (unsigned *)c));
        CHECKED("outer_product", float, SIDE * SIDE, outer_product(SIDE, a, b, c));
        CHECKED("interpolate", float, N, interpolate(N, b, a, c));
        CHECKED("capitals", char, N, capitals(N, (char *)at, (char *)c));
        CHECKED("mix", short, N, mix(N, (short *)at, (short *)to, (short *)c));
        CHECKED("grey", unsigned char, N, grey(N, (colour *)at, (unsigned char *)c));
        CHECKED("axpy_double", double, N / 2, axpy_double(N / 2, 0.5, wide, (double *)c));
        CHECKED("paths", float, PLANE * PLANE, paths(PLANE, 17, c));
        CHECKED("triangle", float, SIDE * SIDE, triangle(SIDE, a, c));
        CHECKED("logistic", float, N, logistic(N, a, c));
        CHECKED("scale_kernels", float, N, scale_kernels(N, a, c));
    }
    return 0;
}
