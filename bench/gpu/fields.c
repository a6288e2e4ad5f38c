// Loops of many fields: lattices of quarks and spins, quantum states, weather and oceans, particles, elements, sparse
// matrices, graphs, pictures, signals, networks, finance, sequences, small linear algebra. They are written as their
// users write them, by somebody who did not look at what accrue makes of them. Names and sizes are those of fields.cu.
// Prints a checksum for each.
//
//     fields [ROUNDS]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fields.h"
#include "checked.h"

static void hopped(const struct link *restrict u, const struct colours *restrict v, struct colours *restrict y)
{
#pragma acc parallel loop collapse(4) present(u, v, y)
    for (int t = 0; t < TIMES; t++)
        for (int z = 0; z < TIMES; z++)
            for (int j = 0; j < ACROSS; j++)
                for (int x = 0; x < ACROSS; x++) {
                    int site = ((t * TIMES + z) * ACROSS + j) * ACROSS + x;
                    struct colours sum = {{{0, 0}, {0, 0}, {0, 0}}};
                    for (int d = 0; d < 4; d++) {
                        int ahead = beside(t, z, j, x, d, 1), behind = beside(t, z, j, x, d, -1);
                        add_product(&u[4 * site + d], &v[ahead], &sum);
                        add_adjoint_product(&u[4 * behind + d], &v[behind], &sum);
                    }
                    y[site] = sum;
                }
}

static void plaquettes(const struct link *u, double *y)
{
    double sum = 0;
#pragma acc parallel loop gang vector collapse(4) reduction(+:sum) present(u) vector_length(128)
    for (int t = 0; t < TIMES; t++)
        for (int z = 0; z < TIMES; z++)
            for (int j = 0; j < ACROSS; j++)
                for (int x = 0; x < ACROSS; x++) {
                    int site = ((t * TIMES + z) * ACROSS + j) * ACROSS + x;
                    for (int mu = 0; mu < 3; mu++) {
                        int along = beside(t, z, j, x, mu, 1);
                        for (int nu = mu + 1; nu < 4; nu++) {
                            int aside = beside(t, z, j, x, nu, 1);
                            struct link one = link_product(u[4 * site + mu], u[4 * along + nu]);
                            struct link other = link_product(u[4 * site + nu], u[4 * aside + mu]);
                            sum += trace_with_adjoint(one, other);
                        }
                    }
                }
    y[0] = sum;
#pragma acc update device(y[0:1])
}

static void flips(int n, float beta, unsigned moment, const signed char *restrict own, const signed char *restrict others,
                  signed char *restrict y)
{
    int half = n / 2;
#pragma acc parallel loop collapse(2) present(own, others, y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < half; j++) {
            int north = i > 0 ? i - 1 : n - 1, south = i < n - 1 ? i + 1 : 0, at = i * half + j;
            int side = i % 2 == 0 ? (j > 0 ? j - 1 : half - 1) : (j < half - 1 ? j + 1 : 0);
            int sum = (others[north * half + j] & 1) + (others[south * half + j] & 1) + (others[at] & 1) +
                      (others[i * half + side] & 1);
            int spin = own[at] >> 3 & 1, energy = (2 * spin - 1) * (2 * sum - 4);
            if (chance(at, moment) < expf(-2 * beta * energy))
                spin = 1 - spin;
            y[at] = spin;
        }
}

static void precession(int n, const float *restrict sx, const float *restrict sy, const float *restrict sz, float *restrict y)
{
    int all = 2 * n * n * n;
#pragma acc kernels present(sx, sy, sz, y)
#pragma acc loop independent
    for (int k = 0; k < 2 * n; k++)
#pragma acc loop independent
        for (int j = 0; j < n; j++)
#pragma acc loop independent
            for (int i = 0; i < n; i++) {
                int at = (k * n + j) * n + i;
                int west = i > 0 ? at - 1 : at + n - 1, east = i < n - 1 ? at + 1 : at - n + 1;
                int north = j > 0 ? at - n : at + n * (n - 1), south = j < n - 1 ? at + n : at - n * (n - 1);
                int below = k > 0 ? at - n * n : at + n * n * (2 * n - 1), above = k < 2 * n - 1 ? at + n * n : at - n * n * (2 * n - 1);
                float x = sx[at], v = sy[at], z = sz[at];
                float hx = sx[west] + sx[east] + sx[north] + sx[south] + sx[below] + sx[above];
                float hy = sy[west] + sy[east] + sy[north] + sy[south] + sy[below] + sy[above];
                float hz = sz[west] + sz[east] + sz[north] + sz[south] + sz[below] + sz[above] + 0.3f * z + 0.5f;
                float cx = v * hz - z * hy, cy = z * hx - x * hz, cz = x * hy - v * hx;
                float dx = v * cz - z * cy, dy = z * cx - x * cz, dz = x * cy - v * cx;
                x -= 0.01f * (cx + 0.1f * dx);
                v -= 0.01f * (cy + 0.1f * dy);
                z -= 0.01f * (cz + 0.1f * dz);
                float by = 1 / sqrtf(x * x + v * v + z * z + 1e-6f);
                y[at] = x * by;
                y[all + at] = v * by;
                y[2 * all + at] = z * by;
            }
}

static void one_qubit(int n, int qubit, struct gate g, const struct amplitude *restrict x, struct amplitude *restrict y)
{
    int bit = 1 << qubit;
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n / 2; i++) {
        int low = (i & ~(bit - 1)) << 1 | (i & (bit - 1)), high = low | bit;
        struct amplitude p = x[low], q = x[high];
        y[low].re = g.m[0][0].re * p.re - g.m[0][0].im * p.im + g.m[0][1].re * q.re - g.m[0][1].im * q.im;
        y[low].im = g.m[0][0].re * p.im + g.m[0][0].im * p.re + g.m[0][1].re * q.im + g.m[0][1].im * q.re;
        y[high].re = g.m[1][0].re * p.re - g.m[1][0].im * p.im + g.m[1][1].re * q.re - g.m[1][1].im * q.im;
        y[high].im = g.m[1][0].re * p.im + g.m[1][0].im * p.re + g.m[1][1].re * q.im + g.m[1][1].im * q.re;
    }
}

static void two_qubits(int n, const struct number *restrict matrix, const struct number *restrict x, struct number *restrict y)
{
#pragma acc parallel loop gang vector vector_length(256) present(matrix, x, y)
    for (int i = 0; i < n / 4; i++) {
        int first = i >> LOW << (LOW + 1) | (i & ((1 << LOW) - 1));
        first = first >> HIGH << (HIGH + 1) | (first & ((1 << HIGH) - 1));
        int at[4] = {first, first | 1 << LOW, first | 1 << HIGH, first | 1 << LOW | 1 << HIGH};
        struct number v[4];
        for (int k = 0; k < 4; k++)
            v[k] = x[at[k]];
        for (int k = 0; k < 4; k++) {
            struct number sum = {0, 0};
            for (int l = 0; l < 4; l++) {
                struct number m = matrix[4 * k + l];
                sum.re += m.re * v[l].re - m.im * v[l].im;
                sum.im += m.re * v[l].im + m.im * v[l].re;
            }
            y[at[k]] = sum;
        }
    }
}

static void mixed_columns(int columns, int levels, double dt, const double *restrict k_of, const double *restrict x,
                          double *restrict gamma, double *restrict y)
{
#pragma acc parallel loop gang vector present(k_of, x, gamma, y)
    for (int i = 0; i < columns; i++) {
        double above = dt * (k_of[i] + 0.1), by = 1 / (1 + above), last = x[i] * by;
        gamma[i] = above * by;
        y[i] = last;
#pragma acc loop seq
        for (int k = 1; k < levels; k++) {
            double below = above;
            above = k < levels - 1 ? dt * (k_of[k * columns + i] + 0.1) : 0;
            by = 1 / (1 + below + above - below * gamma[(k - 1) * columns + i]);
            gamma[k * columns + i] = above * by;
            last = (x[k * columns + i] + below * last) * by;
            y[k * columns + i] = last;
        }
#pragma acc loop seq
        for (int k = levels - 2; k >= 0; k--)
            y[k * columns + i] += gamma[k * columns + i] * y[(k + 1) * columns + i];
    }
}

static void rain(int columns, int levels, const float *restrict water, const float *restrict density, const float *restrict warmth,
                 float *restrict left, float *restrict fallen)
{
#pragma acc parallel loop present(water, density, warmth, left, fallen)
    for (int i = 0; i < columns; i++) {
        float flux = 0;
        for (int k = levels - 1; k >= 0; k--) {
            int at = k * columns + i;
            float d = 0.3f + density[at], q = 2 * water[at] - 0.6f, kelvin = 250 + 50 * warmth[at];
            float rain_water = q > 0 ? q : 0, speed = rain_water > 1e-3f ? fall_speed(rain_water, d) : 0;
            float out = fminf(0.01f * speed * rain_water * d, rain_water);
            float after = rain_water + flux / d - out;
            if (kelvin > 273.15f && after > 0) {
                float dry = 0.3f * expf(17.27f * (kelvin - 273.15f) / (kelvin - 35.86f)) / d;
                after -= fminf(after, 0.001f * dry * sqrtf(after));
            }
            left[at] = after;
            flux = out * d;
        }
        fallen[i] = flux;
    }
}

static void hydrostatic(int nz, int ny, int nx, const float *restrict density, float *restrict pressure, float *restrict u,
                        float *restrict v)
{
#pragma acc kernels present(density, pressure, u, v)
    {
#pragma acc loop independent collapse(2)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                float sum = 0;
#pragma acc loop seq
                for (int k = 0; k < nz; k++) {
                    sum += 9.81f * density[(k * ny + j) * nx + i];
                    pressure[(k * ny + j) * nx + i] = sum - 0.5f * 9.81f * density[(k * ny + j) * nx + i];
                }
            }
#pragma acc loop independent collapse(3)
        for (int k = 0; k < nz; k++)
            for (int j = 0; j < ny - 1; j++)
                for (int i = 0; i < nx - 1; i++) {
                    int at = (k * ny + j) * nx + i;
                    u[at] = 0.5f - 0.01f * (pressure[at + 1] - pressure[at]) / (0.5f + density[at] + density[at + 1]);
                    v[at] = 0.5f - 0.01f * (pressure[at + nx] - pressure[at]) / (0.5f + density[at] + density[at + nx]);
                }
    }
}

static void tracers(int nz, int n, const float *u, const float *v, const float *w, const float *x, float *restrict y)
{
#pragma acc parallel loop gang collapse(2) present(u, v, w, x, y)
    for (int k = 2; k < nz - 2; k++)
        for (int j = 2; j < n - 2; j++)
#pragma acc loop vector
            for (int i = 2; i < n - 2; i++) {
                int at = (k * n + j) * n + i;
                float east = through_face(u, x, at, 1) - through_face(u, x, at - 1, 1);
                float north = through_face(v, x, at, n) - through_face(v, x, at - n, n);
                float up = through_face(w, x, at, n * n) - through_face(w, x, at - n * n, n * n);
                y[at] = x[at] - 0.3f * (east + north + up);
            }
}

static void solidified(int n, const float (*restrict phase)[n], const float (*restrict warmth)[n], float (*restrict next)[n])
{
#pragma acc parallel loop collapse(2) present(phase[0:n], warmth[0:n], next[0:n])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            float p = phase[i][j], dx = phase[i][j + 1] - phase[i][j - 1], dy = phase[i + 1][j] - phase[i - 1][j];
            float laplacian = phase[i][j + 1] + phase[i][j - 1] + phase[i + 1][j] + phase[i - 1][j] - 4 * p;
            float eps = 0.1f * (1 + 0.02f * cosf(6 * (atan2f(dy, dx) - 0.2f)));
            float m = 0.2864789f * atanf(10 * (1 - warmth[i][j]));
            next[i][j] = p + 0.3f * (eps * eps * laplacian + p * (1 - p) * (p - 0.5f + m));
        }
}

static void densities(const int *restrict start, const struct particle *restrict p, float *restrict y)
{
#pragma acc parallel loop gang vector_length(32) present(start, p, y)
    for (int c = 0; c < ALL_CELLS; c++) {
        int cz = c / (CELLS * CELLS), cy = c / CELLS % CELLS, cx = c % CELLS;
#pragma acc loop vector
        for (int i = start[c]; i < start[c + 1]; i++) {
            float sum = 0;
            for (int z = cz > 0 ? cz - 1 : 0; z <= cz + 1 && z < CELLS; z++)
                for (int v = cy > 0 ? cy - 1 : 0; v <= cy + 1 && v < CELLS; v++)
                    for (int x = cx > 0 ? cx - 1 : 0; x <= cx + 1 && x < CELLS; x++) {
                        int cell = (z * CELLS + v) * CELLS + x;
                        for (int j = start[cell]; j < start[cell + 1]; j++) {
                            float dx = p[i].x - p[j].x, dy = p[i].y - p[j].y, dz = p[i].z - p[j].z;
                            float square = dx * dx + dy * dy + dz * dz;
                            if (square < 1)
                                sum += p[j].mass * kernel_of(sqrtf(square));
                        }
                    }
            y[i] = sum;
        }
    }
}

static void bends(int n, const struct triple *restrict angles, const float (*restrict at)[3], float (*restrict force)[3])
{
#pragma acc parallel loop present(angles, at[0:ATOMS], force[0:ATOMS])
    for (int m = 0; m < n; m++) {
        int i = angles[m].i, j = angles[m].j, k = angles[m].k;
        float p[3], q[3], pp = 0.1f, qq = 0.1f, pq = 0;
        for (int d = 0; d < 3; d++) {
            p[d] = at[i][d] - at[j][d];
            q[d] = at[k][d] - at[j][d];
            pp += p[d] * p[d];
            qq += q[d] * q[d];
            pq += p[d] * q[d];
        }
        float by = 1 / sqrtf(pp * qq), cosine = pq * by, strength = -2 * (cosine + 0.33f);
        for (int d = 0; d < 3; d++) {
            float fi = strength * (q[d] * by - cosine * p[d] / pp), fk = strength * (p[d] * by - cosine * q[d] / qq);
#pragma acc atomic update
            force[i][d] += fi;
#pragma acc atomic update
            force[k][d] += fk;
#pragma acc atomic update
            force[j][d] -= fi + fk;
        }
    }
}

static void along_rows(int lines, int n, const double *restrict x, double *restrict factor, double *restrict y)
{
#pragma acc parallel loop gang vector vector_length(64) present(x, factor, y)
    for (int l = 0; l < lines; l++) {
        const double *of = x + l * n;
        double *f = factor + l * n, *to = y + l * n;
        f[0] = 0.4;
        to[0] = of[0] * 0.5;
        for (int i = 1; i < n; i++) {
            double by = 1 / (2.5 - f[i - 1]);
            f[i] = by;
            to[i] = (of[i] + to[i - 1]) * by;
        }
        for (int i = n - 2; i >= 0; i--)
            to[i] += f[i] * to[i + 1];
    }
}

static void spectral(int elements, const double *restrict derivative, const double *restrict metric, const double *restrict u,
                     double *restrict w)
{
#pragma acc parallel loop gang vector_length(512) present(derivative, metric, u, w)
    for (int e = 0; e < elements; e++) {
        double along_r[CUBED], along_s[CUBED], along_t[CUBED];
#pragma acc loop vector collapse(3)
        for (int k = 0; k < NODES; k++)
            for (int j = 0; j < NODES; j++)
                for (int i = 0; i < NODES; i++) {
                    double r = 0, s = 0, t = 0;
                    int node = (k * NODES + j) * NODES + i;
#pragma acc loop seq
                    for (int l = 0; l < NODES; l++) {
                        r += derivative[i * NODES + l] * u[e * CUBED + (k * NODES + j) * NODES + l];
                        s += derivative[j * NODES + l] * u[e * CUBED + (k * NODES + l) * NODES + i];
                        t += derivative[k * NODES + l] * u[e * CUBED + (l * NODES + j) * NODES + i];
                    }
                    const double *g = metric + 6 * CUBED * e + node;
                    along_r[node] = g[0] * r + g[CUBED] * s + g[2 * CUBED] * t;
                    along_s[node] = g[CUBED] * r + g[3 * CUBED] * s + g[4 * CUBED] * t;
                    along_t[node] = g[2 * CUBED] * r + g[4 * CUBED] * s + g[5 * CUBED] * t;
                }
#pragma acc loop vector collapse(3)
        for (int k = 0; k < NODES; k++)
            for (int j = 0; j < NODES; j++)
                for (int i = 0; i < NODES; i++) {
                    double sum = 0;
#pragma acc loop seq
                    for (int l = 0; l < NODES; l++)
                        sum += derivative[l * NODES + i] * along_r[(k * NODES + j) * NODES + l] +
                               derivative[l * NODES + j] * along_s[(k * NODES + l) * NODES + i] +
                               derivative[l * NODES + k] * along_t[(l * NODES + j) * NODES + i];
                    w[e * CUBED + (k * NODES + j) * NODES + i] = sum;
                }
    }
}

static void assembled(int n, const int *restrict corners, const double *restrict x, const double *restrict y, const double *restrict u,
                      double *restrict r)
{
#pragma acc parallel loop present(corners, x, y, u, r)
    for (int e = 0; e < n; e++) {
        int p[3];
        double b[3], c[3];
        for (int k = 0; k < 3; k++)
            p[k] = corners[3 * e + k];
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            b[k] = y[p[l]] - y[p[m]];
            c[k] = x[p[m]] - x[p[l]];
        }
        double area = 0.5 * fabs(b[0] * c[1] - b[1] * c[0]);
        for (int k = 0; k < 3; k++) {
            double sum = area / 12 * u[p[k]];
            for (int l = 0; l < 3; l++)
                sum += ((b[k] * b[l] + c[k] * c[l]) / (4 * area) + area / 12) * u[p[l]];
#pragma acc atomic
            r[p[k]] += sum;
        }
    }
}

static void viterbi(int chains, const int *restrict seen, const float *restrict change, const float *restrict emits,
                    unsigned char *restrict back, float *restrict best)
{
#pragma acc parallel loop gang vector_length(64) present(seen, change, emits, back, best)
    for (int m = 0; m < chains; m++) {
        float score[2][STATES];
#pragma acc loop vector
        for (int s = 0; s < STATES; s++)
            score[0][s] = -emits[s];
#pragma acc loop seq
        for (int t = 1; t < MOMENTS; t++) {
            int symbol = seen[m * MOMENTS + t] >> 10 & 31;
#pragma acc loop vector
            for (int s = 0; s < STATES; s++) {
                float most = -INFINITY;
                int from = 0;
                for (int q = 0; q < STATES; q++) {
                    float value = score[(t + 1) % 2][q] - change[q * STATES + s];
                    if (value > most) {
                        most = value;
                        from = q;
                    }
                }
                score[t % 2][s] = most - emits[symbol * STATES + s];
                back[(m * MOMENTS + t) * STATES + s] = from;
            }
        }
        float most = -INFINITY;
#pragma acc loop vector reduction(max:most)
        for (int s = 0; s < STATES; s++)
            most = fmaxf(most, score[(MOMENTS - 1) % 2][s]);
        best[m] = most;
    }
}

static void sliced_rows(int n, const int *restrict start, const int *restrict column, const float *restrict value,
                        const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(start, column, value, x, y)
    for (int i = 0; i < n; i++) {
        int slice = i / SLICE, width = (start[slice + 1] - start[slice]) / SLICE;
        float sum = 0;
        for (int k = 0; k < width; k++) {
            int at = start[slice] + k * SLICE + i % SLICE;
            sum += value[at] * x[column[at]];
        }
        y[i] = sum;
    }
}

static void block_rows(int n, const int *restrict start, const int *restrict column, const double *restrict value,
                       const double *restrict x, double *restrict y)
{
#pragma acc parallel loop collapse(2) present(start, column, value, x, y)
    for (int i = 0; i < n; i++)
        for (int r = 0; r < BLOCK; r++) {
            double sum = 0;
#pragma acc loop seq
            for (int k = start[i]; k < start[i + 1]; k++)
                for (int c = 0; c < BLOCK; c++)
                    sum += value[(k * BLOCK + r) * BLOCK + c] * x[(column[k] & (BLOCK_ROWS - 1)) * BLOCK + c];
            y[i * BLOCK + r] = sum;
        }
}

static void coordinates(int n, const int *restrict row, const int *restrict column, const float *restrict value,
                        const float *restrict x, float *y)
{
#pragma acc parallel loop independent present(row, column, value, x, y)
    for (int k = 0; k < n; k++) {
        int to = k / 8 + (row[k] >> 9 & 15);
#pragma acc atomic update
        y[to] += value[k] * x[column[k]];
    }
}

static void triangles_of(int n, const int *restrict friends, int *y)
{
    int count = 0;
#pragma acc parallel loop collapse(2) reduction(+:count) present(friends)
    for (int p = 0; p < n; p++)
        for (int k = 0; k < FRIENDS; k++) {
            const int *own = friends + p * FRIENDS, *its = friends + own[k] * FRIENDS;
            int i = k + 1, j = 0;
            while (i < FRIENDS && j < FRIENDS) {
                if (own[i] == its[j]) {
                    count++;
                    i++;
                    j++;
                } else if (own[i] < its[j])
                    i++;
                else
                    j++;
            }
        }
    y[0] = count;
#pragma acc update device(y[0:1])
}

static void labels(int n, const int *restrict start, const int *restrict to, const int *restrict label, int *restrict y,
                   int *changed)
{
    int count = 0;
#pragma acc parallel loop reduction(+:count) present(start, to, label, y)
    for (int i = 0; i < n; i++) {
        int least = label[i];
        for (int k = start[i]; k < start[i + 1]; k++)
            least = label[to[k]] < least ? label[to[k]] : least;
        y[i] = least;
        if (least != label[i])
            count++;
    }
    changed[0] = count;
#pragma acc update device(changed[0:1])
}

static void kept(int n, const int *restrict x, int *restrict count, int *restrict list)
{
#pragma acc parallel loop present(x, count[0:1], list)
    for (int i = 0; i < n; i++)
        if ((x[i] >> 12 & 31) == 7) {
            int place;
#pragma acc atomic capture
            place = (*count)++;
            list[place] = i;
        }
}

static void eroded(int n, const unsigned char *x, unsigned char *restrict y)
{
#pragma acc parallel loop tile(8, 32) present(x, y)
    for (int i = 2; i < n - 2; i++)
        for (int j = 2; j < n - 2; j++) {
            unsigned char least = 255;
            for (int di = -2; di <= 2; di++)
                for (int dj = -2; dj <= 2; dj++) {
                    unsigned char value = x[(i + di) * n + j + dj];
                    least = value < least ? value : least;
                }
            y[i * n + j] = least;
        }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    float *a = malloc(sizeof(float) * N), *b = malloc(sizeof(float) * N), *c = malloc(sizeof(float) * N);
    int *at = malloc(sizeof(int) * N), *column = malloc(sizeof(int) * N), *ints = (int *)c;
    int *cells = malloc(sizeof(int) * (ALL_CELLS + 1)), *corners = malloc(sizeof(int) * 3 * TRIANGLES);
    int *slices = malloc(sizeof(int) * (ROWS / SLICE + 1)), *rows = malloc(sizeof(int) * (ROWS + 1));
    int *friends = malloc(sizeof(int) * (PEOPLE + STRANGERS) * FRIENDS);
    double *wide = malloc(sizeof(double) * (N / 2)), *work = malloc(sizeof(double) * WORK), *wide_out = (double *)c;
    double *mesh_x = malloc(sizeof(double) * MESH_NODES), *mesh_y = malloc(sizeof(double) * MESH_NODES);
    struct particle *particles = malloc(sizeof(struct particle) * ALL_CELLS * AT_MOST);
    struct triple *angles = malloc(sizeof(struct triple) * BENDS);
    fill_numbers(a, b, at, column, wide);
    fill_bends(at, angles);
    fill_triangles(a, corners, mesh_x, mesh_y);
    fill_slices(at, slices);
    fill_rows(at, rows);
    fill_friends(at, friends);
    int crowd = fill_cells(a, at, cells, particles), field = DEEP * EAST * EAST;
    unsigned char *bytes = (unsigned char *)at, *bytes_out = (unsigned char *)c;
    struct gate gate = {{{{0.7, 0.1}, {0.6, -0.2}}, {{0.5, 0.3}, {-0.4, 0.8}}}};
#pragma acc data copyin(a[0:N], b[0:N], at[0:N], column[0:N], wide[0:N / 2], cells[0:ALL_CELLS + 1], corners[0:3 * TRIANGLES], \
                            slices[0:ROWS / SLICE + 1], rows[0:ROWS + 1], friends[0:(PEOPLE + STRANGERS) * FRIENDS],       \
                            mesh_x[0:MESH_NODES], mesh_y[0:MESH_NODES], particles[0:ALL_CELLS * AT_MOST], angles[0:BENDS])  \
    create(work[0:WORK]) copyout(c[0:N])
    {
        CHECKED("hopped", float, 6 * SITES, hopped((struct link *)a, (struct colours *)b, (struct colours *)c));
        CHECKED("plaquettes", double, 1, plaquettes((struct link *)a, wide_out));
        CHECKED("flips", signed char, TORUS *TORUS / 2,
                flips(TORUS, 0.44f, 7, (signed char *)at, (signed char *)column, (signed char *)c));
        CHECKED("precession", float, 3 * SPINS, precession(MAGNET, a, a + SPINS, a + 2 * SPINS, c));
        CHECKED("one_qubit", double, 2 * AMPLITUDES,
                one_qubit(AMPLITUDES, QUBIT, gate, (struct amplitude *)wide, (struct amplitude *)c));
        CHECKED("two_qubits", float, 2 * PAIRED, two_qubits(PAIRED, (struct number *)b, (struct number *)a, (struct number *)c));
        CHECKED("mixed_columns", double, LEVELS *COLUMNS,
                mixed_columns(COLUMNS, LEVELS, 0.7, wide, wide + LEVELS * COLUMNS, work, wide_out));
        CHECKED("rain", float, (LEVELS + 1) * CLOUDS,
                rain(CLOUDS, LEVELS, a, b, a + LEVELS * CLOUDS, c, c + LEVELS * CLOUDS));
        CHECKED("hydrostatic", float, 3 * LEVELS *BASIN,
                hydrostatic(LEVELS, EAST, 2 * EAST, a, c, c + LEVELS * BASIN, c + 2 * LEVELS * BASIN));
        CHECKED("tracers", float, field, tracers(DEEP, EAST, a, a + field, a + 2 * field, b, c));
        CHECKED("solidified", float, MELT *MELT,
                solidified(MELT, (const float(*)[MELT])a, (const float(*)[MELT])b, (float(*)[MELT])c));
        CHECKED("densities", float, crowd, densities(cells, particles, c));
        CHECKED("bends", float, 3 * ATOMS, bends(BENDS, angles, (const float(*)[3])a, (float(*)[3])c));
        CHECKED("along_rows", double, LINES *OF_LINE, along_rows(LINES, OF_LINE, wide, work, wide_out));
        CHECKED("spectral", double, SPECTRAL *CUBED, spectral(SPECTRAL, wide, wide + 97, wide + 6 * SPECTRAL * CUBED + 97, wide_out));
        CHECKED("assembled", double, MESH_NODES, assembled(TRIANGLES, corners, mesh_x, mesh_y, wide, wide_out));
        CHECKED("viterbi", unsigned char, CHAINS *MOMENTS *STATES,
                viterbi(CHAINS, at, a, b, bytes_out, c + CHAINS * MOMENTS * STATES / 4));
        CHECKED("sliced_rows", float, ROWS, sliced_rows(ROWS, slices, column, a, b, c));
        CHECKED("block_rows", double, BLOCK_ROWS *BLOCK, block_rows(BLOCK_ROWS, rows, column, wide, wide + 97, wide_out));
        CHECKED("coordinates", float, ENTRIES / 8 + 16, coordinates(ENTRIES, at, column, a, b, c));
        CHECKED("triangles_of", int, 1, triangles_of(PEOPLE, friends, ints));
        CHECKED("labels", int, ROWS + 1, labels(ROWS, rows, column, at, ints, ints + ROWS));
        CHECKED("kept", int, 1, kept(N, at, ints, ints + KEPT_AT));
        CHECKED("eroded", unsigned char, MELT *MELT, eroded(MELT, bytes, bytes_out));
    }
    return 0;
}
