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
                int below = k > 0 ? at - n * n : at + n * n * (2 * n - 1);
                int above = k < 2 * n - 1 ? at + n * n : at - n * n * (2 * n - 1);
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

static void assembled(int n, const int *restrict corners, const double *restrict x, const double *restrict y,
                      const double *restrict u, double *restrict r)
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

static void demosaiced(int n, const unsigned char *restrict x, unsigned char *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, y)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int colour[3];
            colours_of(x, n, i, j, colour);
            for (int k = 0; k < 3; k++)
                y[3 * (i * n + j) + k] = colour[k];
        }
}

static void warped(int n, const float *restrict h, const float *x, float *y)
{
    float h0 = 0.9f + 0.1f * h[0], h1 = 0.1f * h[1], h2 = 10 * h[2], h3 = -0.1f * h[3], h4 = 0.9f + 0.1f * h[4], h5 = 90 * h[5];
    float h6 = 1e-5f * h[6], h7 = 1e-5f * h[7];
#pragma acc kernels loop independent present(x, y)
    for (int i = 0; i < n; i++)
#pragma acc loop independent
        for (int j = 0; j < n; j++) {
            float by = 1 / (h6 * j + h7 * i + 1), px = (h0 * j + h1 * i + h2) * by, py = (h3 * j + h4 * i + h5) * by, value = 0;
            if (px >= 0 && py >= 0 && px < n - 1 && py < n - 1) {
                int ix = (int)px, iy = (int)py;
                float fx = px - ix, fy = py - iy;
                const float *p = x + iy * n + ix;
                value = (1 - fy) * ((1 - fx) * p[0] + fx * p[1]) + fy * ((1 - fx) * p[n] + fx * p[n + 1]);
            }
            y[i * n + j] = value;
        }
}

static void votes(int n, const int *restrict x, const float *restrict direction, int *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, direction, y)
    for (int p = 0; p < n; p++)
        for (int k = 0; k < LINES_OF; k++) {
            int column = x[p] >> 4 & 1023, row = x[p] >> 15 & 1023;
            int distance = (int)((column * direction[2 * k] + row * direction[2 * k + 1] + 1449) * 0.5f);
#pragma acc atomic update
            y[k * DISTANCES + distance]++;
        }
}

static void disparity(int n, const unsigned char *restrict left, const unsigned char *restrict right, unsigned char *restrict y)
{
#pragma acc parallel loop gang vector collapse(2) vector_length(128) present(left, right, y)
    for (int i = 2; i < n - 2; i++)
        for (int j = 2 + SHIFTS; j < n - 2; j++) {
            int least = 1 << 30, best = 0;
#pragma acc loop seq
            for (int d = 0; d < SHIFTS; d++) {
                int sum = 0;
                for (int di = -2; di <= 2; di++)
                    for (int dj = -2; dj <= 2; dj++)
                        sum += abs(left[(i + di) * n + j + dj] - right[(i + di) * n + j + dj - d]);
                if (sum < least) {
                    least = sum;
                    best = d;
                }
            }
            y[i * n + j] = best;
        }
}

static void tones(int channels, int samples, const float *restrict factor, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang vector present(factor, x, y)
    for (int c = 0; c < channels; c++) {
        float last[TONES], before[TONES];
        for (int f = 0; f < TONES; f++)
            last[f] = before[f] = 0;
        for (int t = 0; t < samples; t++) {
            float value = x[t * channels + c];
            for (int f = 0; f < TONES; f++) {
                float next = value + 1.9f * factor[f] * last[f] - before[f];
                before[f] = last[f];
                last[f] = next;
            }
        }
        for (int f = 0; f < TONES; f++)
            y[f * channels + c] = last[f] * last[f] + before[f] * before[f] - 1.9f * factor[f] * last[f] * before[f];
    }
}

static void radix_four(int n, int done, const struct number *restrict x, struct number *restrict y)
{
#pragma acc parallel loop independent present(x, y)
    for (int j = 0; j < n / 4; j++) {
        int k = j % done, to = (j - k) * 4 + k;
        float angle = -6.2831853f / (4 * done) * k;
        struct number v[4];
        for (int r = 0; r < 4; r++) {
            struct number in = x[j + r * (n / 4)];
            float re = cosf(r * angle), im = sinf(r * angle);
            v[r].re = in.re * re - in.im * im;
            v[r].im = in.re * im + in.im * re;
        }
        struct number a = {v[0].re + v[2].re, v[0].im + v[2].im}, b = {v[0].re - v[2].re, v[0].im - v[2].im};
        struct number c = {v[1].re + v[3].re, v[1].im + v[3].im}, d = {v[1].im - v[3].im, v[3].re - v[1].re};
        y[to].re = a.re + c.re;
        y[to].im = a.im + c.im;
        y[to + done].re = b.re + d.re;
        y[to + done].im = b.im + d.im;
        y[to + 2 * done].re = a.re - c.re;
        y[to + 2 * done].im = a.im - c.im;
        y[to + 3 * done].re = b.re - d.re;
        y[to + 3 * done].im = b.im - d.im;
    }
}

static void back_projected(int n, int detectors, const float *restrict direction, const float *restrict x, float (*restrict y)[n])
{
#pragma acc parallel present(direction, x, y[0:n])
    {
#pragma acc loop gang
        for (int i = 0; i < n; i++) {
#pragma acc loop vector
            for (int j = 0; j < n; j++) {
                float sum = 0;
                for (int k = 0; k < LINES_OF; k++) {
                    float at = (j - n / 2) * direction[2 * k] + (i - n / 2) * direction[2 * k + 1] + detectors / 2;
                    int below = (int)at;
                    float part = at - below;
                    sum += (1 - part) * x[k * detectors + below] + part * x[k * detectors + below + 1];
                }
                y[i][j] = sum;
            }
        }
    }
}

static void stresses(int n, const float *restrict vx, const float *restrict vy, const float *restrict vz,
                     const float *restrict lambda, const float *restrict mu, float *restrict s)
{
    int all = n * n * n;
#pragma acc parallel loop gang num_workers(4) vector_length(32) present(vx, vy, vz, lambda, mu, s)
    for (int k = 2; k < n - 2; k++)
#pragma acc loop worker
        for (int j = 2; j < n - 2; j++)
#pragma acc loop vector
            for (int i = 2; i < n - 2; i++) {
                int at = (k * n + j) * n + i;
                float xx = between(vx, at, 1), yy = between(vy, at, n), zz = between(vz, at, n * n);
                float xy = between(vx, at, n) + between(vy, at, 1), xz = between(vx, at, n * n) + between(vz, at, 1);
                float yz = between(vy, at, n * n) + between(vz, at, n), l = lambda[at] * (xx + yy + zz), m = mu[at];
                s[at] += 0.01f * (l + 2 * m * xx) + 0.1f;
                s[all + at] += 0.01f * (l + 2 * m * yy) + 0.1f;
                s[2 * all + at] += 0.01f * (l + 2 * m * zz) + 0.1f;
                s[3 * all + at] += 0.01f * m * xy + 0.1f;
                s[4 * all + at] += 0.01f * m * xz + 0.1f;
                s[5 * all + at] += 0.01f * m * yz + 0.1f;
            }
}

static void activated(int rows, int width, const float *restrict bias, const float *restrict x, float *restrict y)
{
#pragma acc kernels present(bias, x, y)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < width; j++)
            y[i * width + j] = gelu(x[i * width + j] + bias[j]);
}

static void quantised(int n, const signed char *restrict a, const signed char *restrict b, const float *restrict scale,
                      unsigned char *restrict c)
{
#pragma acc parallel loop collapse(2) present(a, b, scale, c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
#pragma acc loop seq
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            int value = (int)(sum * scale[j] * 0.001f) + 128;
            c[i * n + j] = value < 0 ? 0 : value > 255 ? 255 : value;
        }
}

static void solid(int n, const float (*restrict x)[SOLID][SOLID][SOLID], const float (*restrict w)[MAPS][3][3][3],
                  float (*restrict y)[SOLID][SOLID][SOLID])
{
#pragma acc parallel loop collapse(4) present(x[0:MAPS], w[0:MAPS], y[0:MAPS])
    for (int to = 0; to < MAPS; to++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++) {
                    float sum = 0;
                    for (int from = 0; from < MAPS; from++)
                        for (int di = 0; di < 3; di++)
                            for (int dj = 0; dj < 3; dj++)
                                for (int dk = 0; dk < 3; dk++)
                                    sum += w[to][from][di][dj][dk] * x[from][i + di - 1][j + dj - 1][k + dk - 1];
                    y[to][i][j][k] = fmaxf(sum, 0);
                }
}

static void binomial(int n, const float *restrict x, const float *restrict z, float *restrict y)
{
#pragma acc parallel loop gang vector_length(256) present(x, z, y)
    for (int m = 0; m < n; m++) {
        float value[2][STEPS + 1], spot = 80 + 40 * x[m], strike = 100, step = (0.1f + 0.3f * z[m]) * sqrtf(1.0f / STEPS);
        float grow = expf(0.03f / STEPS), up = expf(step), down = 1 / up, p = (grow - down) / (up - down), discount = 1 / grow;
#pragma acc loop vector
        for (int j = 0; j <= STEPS; j++)
            value[STEPS % 2][j] = fmaxf(strike - spot * expf((2 * j - STEPS) * step), 0);
#pragma acc loop seq
        for (int i = STEPS - 1; i >= 0; i--) {
#pragma acc loop vector
            for (int j = 0; j <= i; j++) {
                float wait = discount * (p * value[(i + 1) % 2][j + 1] + (1 - p) * value[(i + 1) % 2][j]);
                value[i % 2][j] = fmaxf(wait, strike - spot * expf((2 * j - i) * step));
            }
        }
        y[m] = value[0][0];
    }
}

static void drawn(int n, unsigned key, unsigned other, float (*restrict y)[4])
{
#pragma acc parallel loop present(y[0:n])
    for (int i = 0; i < n; i++) {
        unsigned v[4] = {(unsigned)i, 0, 7, 0};
        counted_random(v, key, other);
        for (int k = 0; k < 4; k += 2) {
            float radius = sqrtf(-2 * logf(((v[k] >> 9) + 0.5f) * 0x1p-23f)), angle = 6.2831853f * (v[k + 1] >> 8) * 0x1p-24f;
            y[i][k] = expf(0.1f * radius * cosf(angle));
            y[i][k + 1] = expf(0.1f * radius * sinf(angle));
        }
    }
}

static void string_hashes(int n, const int *restrict start, const unsigned char *restrict x, unsigned *restrict y)
{
#pragma acc parallel loop present(start, x, y)
    for (int i = 0; i < n; i++) {
        unsigned hash = 2166136261u;
        for (int k = 4 * start[i]; k < 4 * start[i + 1]; k++)
            hash = (hash ^ x[k]) * 16777619u;
        y[i] = hash;
    }
}

static void packet_sums(int n, int length, const unsigned char *restrict x, unsigned *restrict y)
{
#pragma acc parallel loop gang worker num_workers(8) vector_length(32) present(x, y)
    for (int i = 0; i < n; i++) {
        unsigned sum = 1, weighted = length;
#pragma acc loop vector reduction(+:sum, weighted)
        for (int k = 0; k < length; k++) {
            sum += x[i * length + k];
            weighted += (length - k) * x[i * length + k];
        }
        y[i] = weighted % 65521 << 16 | sum % 65521;
    }
}

static void minimizers(int n, const unsigned char *x, unsigned *restrict y)
{
#pragma acc parallel loop gang vector vector_length(128) present(x, y)
    for (int i = 0; i < n; i++) {
        unsigned word = 0, least = 0xffffffffu;
        for (int k = 0; k < LETTERS - 1; k++)
            word = word << 2 | (x[i + k] >> 3 & 3);
        for (int k = 0; k < WINDOW; k++) {
            word = (word << 2 | (x[i + LETTERS - 1 + k] >> 3 & 3)) & ((1u << 2 * LETTERS) - 1);
            unsigned hash = mixed(word);
            least = hash < least ? hash : least;
        }
        y[i] = least;
    }
}

static void filter(int n, const int *restrict key, unsigned *restrict bits)
{
#pragma acc parallel loop present(key, bits)
    for (int i = 0; i < n; i++)
#pragma acc loop seq
        for (int k = 0; k < HASHES; k++) {
            unsigned bit = mixed((unsigned)key[i] + k * 0x9e3779b9u) >> 5;
#pragma acc atomic update
            bits[bit >> 5] |= 1u << (bit & 31);
        }
}

static void eigenvalues(int n, const float *restrict a, float *restrict y)
{
#pragma acc parallel loop gang vector present(a, y)
    for (int i = 0; i < n; i++) {
        float xx = a[i], yy = a[n + i], zz = a[2 * n + i], xy = a[3 * n + i], xz = a[4 * n + i], yz = a[5 * n + i];
        float q = (xx + yy + zz) / 3, bx = xx - q, by = yy - q, bz = zz - q;
        float p = sqrtf((bx * bx + by * by + bz * bz + 2 * (xy * xy + xz * xz + yz * yz)) / 6), inverse = 1 / (p + 1e-20f);
        float half = 0.5f * inverse * inverse * inverse *
                     (bx * (by * bz - yz * yz) - xy * (xy * bz - yz * xz) + xz * (xy * yz - by * xz));
        float phi = acosf(fminf(fmaxf(half, -1), 1)) / 3, most = q + 2 * p * cosf(phi), least = q + 2 * p * cosf(phi + 2.0943951f);
        y[i] = most;
        y[n + i] = 3 * q - most - least;
        y[2 * n + i] = least;
    }
}

static void lower_products(int n, const float *restrict l, const float *restrict b, float *restrict c)
{
#pragma acc parallel loop gang present(l, b, c)
    for (int i = 0; i < n; i++)
#pragma acc loop vector
        for (int j = 0; j < n; j++) {
            float sum = 0;
#pragma acc loop seq
            for (int k = 0; k <= i; k++)
                sum += l[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

static void nearest(int n, int landmarks, const float *restrict x, const float *restrict of, float *restrict y)
{
#pragma acc parallel loop vector_length(128) present(x, of, y)
    for (int i = 0; i < n; i++) {
        float best[NEAREST];
        for (int k = 0; k < NEAREST; k++)
            best[k] = 1e30f;
        for (int m = 0; m < landmarks; m++) {
            float dx = x[3 * i] - of[3 * m], dy = x[3 * i + 1] - of[3 * m + 1], dz = x[3 * i + 2] - of[3 * m + 2];
            float square = dx * dx + dy * dy + dz * dz;
            if (square < best[NEAREST - 1]) {
                int k = NEAREST - 1;
                while (k > 0 && best[k - 1] > square) {
                    best[k] = best[k - 1];
                    k--;
                }
                best[k] = square;
            }
        }
        for (int k = 0; k < NEAREST; k++)
            y[i * NEAREST + k] = best[k];
    }
}

static void merged(int n, const int *restrict x, int *restrict y)
{
#pragma acc parallel loop independent present(x, y)
    for (int i = 0; i < 2 * n; i++) {
        const int *other = i < n ? x + n : x;
        int value = x[i], low = 0, high = n;
        while (low < high) {
            int middle = (low + high) / 2;
            if (other[middle] < value || (i >= n && other[middle] == value))
                low = middle + 1;
            else
                high = middle;
        }
        y[i % n + low] = value;
    }
}

static void middle_sums(int outer, int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, y)
    for (int i = 0; i < outer; i++)
        for (int k = 0; k < n; k++) {
            float sum = 0;
#pragma acc loop seq reduction(+:sum)
            for (int j = 0; j < n; j++)
                sum += x[(i * n + j) * n + k];
            y[i * n + k] = sum;
        }
}

static void queens(int n, int *y)
{
    int count = 0;
    const int full = (1 << QUEENS) - 1;
#pragma acc parallel loop reduction(+:count)
    for (int i = 0; i < n; i++) {
        int taken = 0, left = 0, right = 0, legal = 1;
        for (int row = 0, rest = i; row < 4; row++, rest /= QUEENS) {
            int bit = 1 << rest % QUEENS;
            if ((taken | left | right) & bit)
                legal = 0;
            taken |= bit;
            left = (left | bit) << 1;
            right = (right | bit) >> 1;
        }
        if (legal) {
            int free[QUEENS], of_taken[QUEENS], of_left[QUEENS], of_right[QUEENS], row = 4;
            of_taken[4] = taken;
            of_left[4] = left;
            of_right[4] = right;
            free[4] = full & ~(taken | left | right);
            while (row >= 4) {
                if (free[row] == 0) {
                    row--;
                    continue;
                }
                int bit = free[row] & -free[row];
                free[row] -= bit;
                if (row == QUEENS - 1) {
                    count++;
                    continue;
                }
                of_taken[row + 1] = of_taken[row] | bit;
                of_left[row + 1] = (of_left[row] | bit) << 1;
                of_right[row + 1] = (of_right[row] | bit) >> 1;
                row++;
                free[row] = full & ~(of_taken[row] | of_left[row] | of_right[row]);
            }
        }
    }
    y[0] = count;
#pragma acc update device(y[0:1])
}

static void axes_turned(const float (*restrict x)[EDGE][EDGE][2 * EDGE], float (*restrict y)[EDGE][EDGE][EDGE])
{
#pragma acc parallel loop gang collapse(2) present(x[0:EDGE], y[0:2 * EDGE])
    for (int i = 0; i < EDGE; i++)
        for (int j = 0; j < EDGE; j++)
#pragma acc loop vector collapse(2)
            for (int k = 0; k < EDGE; k++)
                for (int l = 0; l < 2 * EDGE; l++)
                    y[l][k][j][i] = x[i][j][k][l];
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
    int *sorted = malloc(sizeof(int) * 2 * MERGED);
    float direction[2 * LINES_OF];
    fill_numbers(a, b, at, column, wide);
    fill_bends(at, angles);
    fill_triangles(a, corners, mesh_x, mesh_y);
    fill_slices(at, slices);
    fill_rows(at, rows);
    fill_friends(at, friends);
    fill_sorted(at, sorted);
    fill_directions(direction);
    int crowd = fill_cells(a, at, cells, particles), field = DEEP * EAST * EAST;
    unsigned char *bytes = (unsigned char *)at, *bytes_out = (unsigned char *)c;
    struct gate gate = {{{{0.7, 0.1}, {0.6, -0.2}}, {{0.5, 0.3}, {-0.4, 0.8}}}};
#pragma acc data copyin(a[0:N], b[0:N], at[0:N], column[0:N], wide[0:N / 2], cells[0:ALL_CELLS + 1], corners[0:3 * TRIANGLES], \
                            slices[0:ROWS / SLICE + 1], rows[0:ROWS + 1], friends[0:(PEOPLE + STRANGERS) * FRIENDS],       \
                            mesh_x[0:MESH_NODES], mesh_y[0:MESH_NODES], particles[0:ALL_CELLS * AT_MOST], angles[0:BENDS], \
                            sorted[0:2 * MERGED], direction) \
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
        CHECKED("solidified", float, PICTURE *PICTURE,
                solidified(PICTURE, (const float(*)[PICTURE])a, (const float(*)[PICTURE])b, (float(*)[PICTURE])c));
        CHECKED("densities", float, crowd, densities(cells, particles, c));
        CHECKED("bends", float, 3 * ATOMS, bends(BENDS, angles, (const float(*)[3])a, (float(*)[3])c));
        CHECKED("along_rows", double, LINES *OF_LINE, along_rows(LINES, OF_LINE, wide, work, wide_out));
        CHECKED("spectral", double, SPECTRAL *CUBED,
                spectral(SPECTRAL, wide, wide + 97, wide + 6 * SPECTRAL * CUBED + 97, wide_out));
        CHECKED("assembled", double, MESH_NODES, assembled(TRIANGLES, corners, mesh_x, mesh_y, wide, wide_out));
        CHECKED("viterbi", unsigned char, CHAINS *MOMENTS *STATES,
                viterbi(CHAINS, at, a, b, bytes_out, c + CHAINS * MOMENTS * STATES / 4));
        CHECKED("sliced_rows", float, ROWS, sliced_rows(ROWS, slices, column, a, b, c));
        CHECKED("block_rows", double, BLOCK_ROWS *BLOCK, block_rows(BLOCK_ROWS, rows, column, wide, wide + 97, wide_out));
        CHECKED("coordinates", float, ENTRIES / 8 + 16, coordinates(ENTRIES, at, column, a, b, c));
        CHECKED("triangles_of", int, 1, triangles_of(PEOPLE, friends, ints));
        CHECKED("labels", int, ROWS + 1, labels(ROWS, rows, column, at, ints, ints + ROWS));
        CHECKED("kept", int, 1, kept(N, at, ints, ints + KEPT_AT));
        CHECKED("eroded", unsigned char, PICTURE *PICTURE, eroded(PICTURE, bytes, bytes_out));
        CHECKED("demosaiced", unsigned char, 3 * PICTURE *PICTURE, demosaiced(PICTURE, bytes, bytes_out));
        CHECKED("warped", float, PICTURE *PICTURE, warped(PICTURE, b, a, c));
        CHECKED("votes", int, LINES_OF *DISTANCES, votes(EDGES, at, direction, ints));
        CHECKED("disparity", unsigned char, STEREO *STEREO, disparity(STEREO, bytes, (unsigned char *)column, bytes_out));
        CHECKED("tones", float, TONES *ANTENNAS, tones(ANTENNAS, SAMPLES, b, a, c));
        CHECKED("radix_four", float, 2 * SIGNAL, radix_four(SIGNAL, DONE, (struct number *)a, (struct number *)c));
        CHECKED("back_projected", float, SCAN *SCAN, back_projected(SCAN, DETECTORS, direction, a, (float(*)[SCAN])c));
        CHECKED("stresses", float, 6 * ROCK *ROCK *ROCK,
                stresses(ROCK, a, a + N / 8, a + N / 4, b, b + N / 8, c));
        CHECKED("activated", float, TOKENS *WIDTH, activated(TOKENS, WIDTH, b, a, c));
        CHECKED("quantised", unsigned char, PRODUCTS *PRODUCTS,
                quantised(PRODUCTS, (signed char *)at, (signed char *)column, b, bytes_out));
        CHECKED("solid", float, MAPS *SOLID *SOLID *SOLID,
                solid(SOLID, (const float(*)[SOLID][SOLID][SOLID])a, (const float(*)[MAPS][3][3][3])b,
                      (float(*)[SOLID][SOLID][SOLID])c));
        CHECKED("binomial", float, OPTIONS, binomial(OPTIONS, a, b, c));
        CHECKED("drawn", float, 4 * DRAWS, drawn(DRAWS, 0x1234567, 0x89abcdef, (float(*)[4])c));
        CHECKED("string_hashes", unsigned, STRINGS, string_hashes(STRINGS, rows, bytes, (unsigned *)c));
        CHECKED("packet_sums", unsigned, PACKETS, packet_sums(PACKETS, OF_PACKET, bytes, (unsigned *)c));
        CHECKED("minimizers", unsigned, BASES, minimizers(BASES, bytes, (unsigned *)c));
        CHECKED("filter", unsigned, 1 << 22, filter(KEYS, at, (unsigned *)c));
        CHECKED("eigenvalues", float, 3 * TENSORS, eigenvalues(TENSORS, a, c));
        CHECKED("lower_products", float, PRODUCTS *PRODUCTS, lower_products(PRODUCTS, a, b, c));
        CHECKED("nearest", float, QUERIES *NEAREST, nearest(QUERIES, LANDMARKS, a, b, c));
        CHECKED("merged", int, 2 * MERGED, merged(MERGED, sorted, ints));
        CHECKED("middle_sums", float, N / 512, middle_sums(N / (512 * 512), 512, a, c));
        CHECKED("queens", int, 1, queens(PLACED, ints));
        CHECKED("axes_turned", float, N,
                axes_turned((const float(*)[EDGE][EDGE][2 * EDGE])a, (float(*)[EDGE][EDGE][EDGE])c));
    }
    return 0;
}
