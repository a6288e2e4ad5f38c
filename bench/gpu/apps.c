// Loops as they are in suites of benchmarks and in applications, written with OpenACC for data that is on the
// device: fields on grids, gases, particles, meshes, graphs, small systems, pictures, bytes and big integers,
// networks, signals. Many call small functions, have arrays of their own, or structures. Names and sizes are
// those of apps.cu. Prints a checksum for each.
//
//     apps [ROUNDS]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps.h"
#include "checked.h"

static void hotspot(int n, const float *restrict power, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(power, x, y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int at = i * n + j;
            float here = x[at], up = i > 0 ? x[at - n] : here, down = i < n - 1 ? x[at + n] : here;
            float left = j > 0 ? x[at - 1] : here, right = j < n - 1 ? x[at + 1] : here;
            float rows = up + down - 2 * here, columns = left + right - 2 * here;
            y[at] = here + 0.3f * (power[at] + 0.1f * rows + 0.2f * columns + 0.05f * (0.8f - here));
        }
}

static void speckle(int n, const int *restrict before, const int *restrict after, const float *restrict x, float *restrict y)
{
    float q0 = 0.05f;
#pragma acc parallel loop gang present(before, after, x, y)
    for (int i = 0; i < n; i++)
#pragma acc loop vector
        for (int j = 0; j < n; j++) {
            float here = x[i * n + j] + 0.5f;
            float up = x[before[i] * n + j] + 0.5f - here, down = x[after[i] * n + j] + 0.5f - here;
            float left = x[i * n + before[j]] + 0.5f - here, right = x[i * n + after[j]] + 0.5f - here;
            float squares = (up * up + down * down + left * left + right * right) / (here * here);
            float laplace = (up + down + left + right) / here, den = 1 + 0.25f * laplace;
            float q = (0.5f * squares - 0.0625f * laplace * laplace) / (den * den);
            float by = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
            y[i * n + j] = by < 0 ? 0 : by > 1 ? 1 : by;
        }
}

static void diffusion(int n, double (*restrict w)[n][n], double (*restrict x)[n][n], double (*restrict y)[n][n])
{
#pragma acc kernels present(w[0:n], x[0:n], y[0:n])
    {
#pragma acc loop independent
        for (int i = 1; i < n - 1; i++)
#pragma acc loop independent
            for (int j = 1; j < n - 1; j++)
#pragma acc loop independent
                for (int k = 1; k < n - 1; k++) {
                    double here = x[i][j][k], of = w[i][j][k], sum = 0;
                    sum += (of + w[i + 1][j][k]) * (x[i + 1][j][k] - here) + (of + w[i - 1][j][k]) * (x[i - 1][j][k] - here);
                    sum += (of + w[i][j + 1][k]) * (x[i][j + 1][k] - here) + (of + w[i][j - 1][k]) * (x[i][j - 1][k] - here);
                    sum += (of + w[i][j][k + 1]) * (x[i][j][k + 1] - here) + (of + w[i][j][k - 1]) * (x[i][j][k - 1] - here);
                    y[i][j][k] = here + 0.05 * sum;
                }
    }
}

static void red_cube(int n, float (*restrict f)[n][n], float (*restrict u)[n][n])
{
#pragma acc parallel loop gang collapse(2) present(f[0:n], u[0:n])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
#pragma acc loop vector
            for (int k = 1 + (i + j) % 2; k < n - 1; k += 2)
                u[i][j][k] = (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] + u[i][j][k - 1] + u[i][j][k + 1] +
                              f[i][j][k]) / 6;
}

static void shallow(int n, const struct cell *restrict x, struct cell *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, y)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int at = i * n + j;
            struct cell right = through(x[at], x[at + 1]), left = through(x[at - 1], x[at]);
            struct cell down = turned(through(turned(x[at]), turned(x[at + n])));
            struct cell up = turned(through(turned(x[at - n]), turned(x[at])));
            y[at].h = x[at].h - 0.01f * (right.h - left.h + down.h - up.h);
            y[at].hu = x[at].hu - 0.01f * (right.hu - left.hu + down.hu - up.hu);
            y[at].hv = x[at].hv - 0.01f * (right.hv - left.hv + down.hv - up.hv);
        }
}

static void weno(int n, const double *restrict u, double *restrict y)
{
#pragma acc parallel loop collapse(2) present(u, y)
    for (int i = 0; i < n; i++)
        for (int j = 3; j < n - 3; j++) {
            const double *x = u + (long)i * n + j;
            y[(long)i * n + j] = x[0] - 0.1 * (weighted(x[-2], x[-1], x[0], x[1], x[2]) - weighted(x[-3], x[-2], x[-1], x[0], x[1]));
        }
}

static void riemann(int n, const struct gas *restrict x, struct flow *restrict y)
{
#pragma acc parallel loop gang worker vector present(x, y)
    for (int i = 0; i < n - 1; i++) {
        struct gas l = {x[i].density + 0.1, 4 * x[i].speed - 1, x[i].pressure + 0.1};
        struct gas r = {x[i + 1].density + 0.1, 4 * x[i + 1].speed - 1, x[i + 1].pressure + 0.1};
        y[i] = between(l, r);
    }
}

static void adiabats(int n, const double *restrict x, double *restrict y)
{
#pragma acc kernels loop independent present(x, y)
    for (int i = 0; i < n; i++) {
        double ratio = x[i] + 0.2, heat = x[n + i] + 0.5;
        y[i] = pow(ratio, 1.4) * heat + (ratio > 0.8 ? pow(heat, 1.0 / 3) : cbrt(ratio));
    }
}

static void mixture(int n, const double *restrict amount, const double *restrict heat, double *restrict y)
{
#pragma acc parallel loop present(amount, heat, y)
    for (int i = 0; i < n; i++) {
        double has[SPECIES], change[SPECIES], by = 1 / (500 + 1000 * heat[i]);
        for (int s = 0; s < SPECIES; s++) {
            has[s] = amount[s * n + i];
            change[s] = 0;
        }
        for (int r = 0; r < SPECIES; r++) {
            int left = reactions_of[r].left, right = reactions_of[r].right;
            double rate = reactions_of[r].factor * exp(-reactions_of[r].energy * by) * has[left] * has[right];
            change[left] -= rate;
            change[right] -= rate;
            change[reactions_of[r].product] += 2 * rate;
        }
        for (int s = 0; s < SPECIES; s++)
            y[s * n + i] = has[s] + 0.1 * change[s];
    }
}

static void edge_sums(int n, const struct edge *restrict edges, const float *restrict x, float *restrict sum)
{
#pragma acc parallel loop present(edges, x, sum)
    for (int i = 0; i < n; i++) {
        int p = edges[i].from % NODES, q = edges[i].to % NODES;
        float mean = 0.5f * (x[p] + x[q]), by = fabsf(x[p] - x[q]);
#pragma acc atomic
        sum[p] += mean + by;
#pragma acc atomic
        sum[q] += mean - 0.25f * by;
    }
}

static void deposit(int n, const struct charge *restrict p, float *restrict density)
{
#pragma acc parallel loop present(p, density)
    for (int i = 0; i < n; i++) {
        float x = p[i].x * (GRID - 1), y = p[i].y * (GRID - 1);
        int column = x, row = y;
        float ds = x - column, dr = y - row, *at = density + row * GRID + column;
#pragma acc atomic update
        at[0] += (1 - dr) * (1 - ds);
#pragma acc atomic update
        at[1] += (1 - dr) * ds;
#pragma acc atomic update
        at[GRID] += dr * (1 - ds);
#pragma acc atomic update
        at[GRID + 1] += dr * ds;
    }
}

static void push(int n, const float *restrict ex, const float *restrict ey, const float *restrict bz, const struct charge *restrict p,
                 struct charge *restrict to)
{
#pragma acc parallel loop present(ex, ey, bz, p, to)
    for (int i = 0; i < n; i++) {
        struct charge now = p[i];
        float x = now.x * (GRID - 1), y = now.y * (GRID - 1);
        int column = x, row = y;
        float ds = x - column, dr = y - row;
        float u = 0.05f * field_at(ex, row, column, dr, ds), v = 0.05f * field_at(ey, row, column, dr, ds);
        float t = 0.05f * field_at(bz, row, column, dr, ds), s = 2 * t / (1 + t * t);
        float vx = now.vx + u, vy = now.vy + v, wx = vx + vy * t, wy = vy - vx * t;
        now.vx = vx + wy * s + u;
        now.vy = vy - wx * s + v;
        now.x += 0.01f * now.vx;
        now.y += 0.01f * now.vy;
        now.x -= floorf(now.x);
        now.y -= floorf(now.y);
        to[i] = now;
    }
}

static void sort_into_cells(int n, const struct vec3 *restrict p, unsigned *restrict count, int *restrict members)
{
#pragma acc parallel loop present(p, count, members)
    for (int i = 0; i < n; i++) {
        int cell = ((int)(p[i].z * 32) * 64 + (int)(p[i].y * 64)) * 64 + (int)(p[i].x * 64);
        unsigned slot;
#pragma acc atomic capture
        slot = count[cell]++;
        members[cell * SLOTS + slot % SLOTS] = i;
    }
}

static void gravity(int n, const struct body *restrict x, struct force *restrict y)
{
#pragma acc parallel loop gang present(x, y)
    for (int i = 0; i < n; i++) {
        double fx = 0, fy = 0, fz = 0;
#pragma acc loop vector reduction(+:fx, fy, fz)
        for (int j = 0; j < n; j++) {
            double dx = x[j].x - x[i].x, dy = x[j].y - x[i].y, dz = x[j].z - x[i].z;
            double square = dx * dx + dy * dy + dz * dz + 0.01, by = x[j].mass / (square * sqrt(square));
            fx += dx * by;
            fy += dy * by;
            fz += dz * by;
        }
        y[i].x = fx;
        y[i].y = fy;
        y[i].z = fz;
    }
}

static void hexahedra(int n, const int *restrict corners, const double *restrict stiffness, const double *restrict x,
                      double *restrict y)
{
#pragma acc parallel loop present(corners, stiffness, x, y)
    for (int e = 0; e < n; e++) {
        double in[24], out[24];
        for (int k = 0; k < 8; k++)
            for (int d = 0; d < 3; d++)
                in[k * 3 + d] = x[(corners[e * 8 + k] % CORNERS) * 3 + d];
        for (int i = 0; i < 24; i++) {
            out[i] = 0;
            for (int j = 0; j < 24; j++)
                out[i] += stiffness[i * 24 + j] * in[j];
        }
        for (int k = 0; k < 8; k++)
            for (int d = 0; d < 3; d++) {
#pragma acc atomic update
                y[(corners[e * 8 + k] % CORNERS) * 3 + d] += out[k * 3 + d];
            }
    }
}

static void ranks(int n, const int *restrict start, const int *restrict from, const double *restrict rank, double *restrict y)
{
#pragma acc parallel loop gang worker vector_length(32) present(start, from, rank, y)
    for (int i = 0; i < n; i++) {
        double sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int k = start[i]; k < start[i + 1]; k++) {
            int j = from[k] % NODES;
            sum += rank[j] / (start[j + 1] - start[j]);
        }
        y[i] = 0.15 / n + 0.85 * sum;
    }
}

static void diagonals(int n, const double *restrict value, const double *restrict x, double *restrict y)
{
#pragma acc parallel loop present(value, x, y)
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int d = 0; d < DIAGONALS; d++) {
            int j = i + diagonal_at[d];
            if (j >= 0 && j < n)
                sum += value[d * n + i] * x[j];
        }
        y[i] = sum;
    }
}

static void inverses(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int m = 0; m < n; m++) {
        float t[4][8];
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                t[i][j] = x[m * 16 + i * 4 + j] + (i == j) * 4;
                t[i][j + 4] = i == j;
            }
        for (int k = 0; k < 4; k++) {
            float by = 1 / t[k][k];
            for (int j = 0; j < 8; j++)
                t[k][j] *= by;
            for (int i = 0; i < 4; i++)
                if (i != k) {
                    float factor = t[i][k];
                    for (int j = 0; j < 8; j++)
                        t[i][j] -= factor * t[k][j];
                }
        }
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                y[m * 16 + i * 4 + j] = t[i][j + 4];
    }
}

static void solves(int n, const double *restrict a, const double *restrict b, double *restrict y)
{
#pragma acc parallel loop present(a, b, y)
    for (int m = 0; m < n; m++) {
        double t[5][6];
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++)
                t[i][j] = a[(i * 5 + j) * n + m] + (j == (i + 2) % 5 ? 4 : 0);
            t[i][5] = b[i * n + m];
        }
        for (int k = 0; k < 5; k++) {
            int pivot = k;
            for (int i = k + 1; i < 5; i++)
                if (fabs(t[i][k]) > fabs(t[pivot][k]))
                    pivot = i;
            for (int j = k; j < 6; j++) {
                double other = t[pivot][j];
                t[pivot][j] = t[k][j];
                t[k][j] = other;
            }
            for (int i = k + 1; i < 5; i++) {
                double factor = t[i][k] / t[k][k];
                for (int j = k; j < 6; j++)
                    t[i][j] -= factor * t[k][j];
            }
        }
        for (int i = 4; i >= 0; i--) {
            double sum = t[i][5];
            for (int j = i + 1; j < 5; j++)
                sum -= t[i][j] * t[j][5];
            y[i * n + m] = t[i][5] = sum / t[i][i];
        }
    }
}

static void by_its_transpose(int n, int shared, const double *restrict a, double *restrict c)
{
#pragma acc parallel loop gang present(a, c)
    for (int i = 0; i < n; i++)
#pragma acc loop vector
        for (int j = 0; j <= i; j++) {
            double sum = 0;
#pragma acc loop seq
            for (int k = 0; k < shared; k++)
                sum += a[i * shared + k] * a[j * shared + k];
            c[i * n + j] = sum;
        }
}

static void contraction(int n, const float *restrict x, const float *restrict w, float *restrict y)
{
#pragma acc parallel loop collapse(4) present(x, w, y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++) {
                    float sum = 0;
                    for (int m = 0; m < n; m++)
                        sum += x[(i * n + m) * n + j] * w[(m * n + k) * n + l];
                    y[((i * n + j) * n + k) * n + l] = sum;
                }
}

static void butterflies(int n, int half, const struct number *restrict x, struct number *restrict y)
{
#pragma acc parallel loop independent present(x, y)
    for (int i = 0; i < n / 2; i++) {
        int k = i % half, at = 2 * (i - k) + k;
        float angle = -3.14159265f * k / half, re = cosf(angle), im = sinf(angle);
        struct number a = x[at], b = x[at + half], t = {b.re * re - b.im * im, b.re * im + b.im * re};
        y[at].re = a.re + t.re;
        y[at].im = a.im + t.im;
        y[at + half].re = a.re - t.re;
        y[at + half].im = a.im - t.im;
    }
}

static void hues(int n, const struct colour *restrict x, struct colour *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++) {
        int r = x[i].r, g = x[i].g, b = x[i].b;
        int most = r > g ? r : g, least = r < g ? r : g, hue = 0;
        most = most > b ? most : b;
        least = least < b ? least : b;
        int span = most - least;
        if (span > 0) {
            if (most == r)
                hue = 43 * (g - b) / span;
            else if (most == g)
                hue = 85 + 43 * (b - r) / span;
            else
                hue = 171 + 43 * (r - g) / span;
        }
        y[i].r = hue & 255;
        y[i].g = most ? 255 * span / most : 0;
        y[i].b = most;
    }
}

static void blurred(int n, const float *restrict x, float *restrict between, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, between)
    for (int i = 0; i < n; i++)
        for (int j = 4; j < n - 4; j++) {
            float sum = 0;
            for (int k = -4; k <= 4; k++)
                sum += gauss[k + 4] * x[i * n + j + k];
            between[i * n + j] = sum;
        }
#pragma acc parallel loop collapse(2) present(between, y)
    for (int i = 4; i < n - 4; i++)
        for (int j = 4; j < n - 4; j++) {
            float sum = 0;
            for (int k = -4; k <= 4; k++)
                sum += gauss[k + 4] * between[(i + k) * n + j];
            y[i * n + j] = sum;
        }
}

static void cosines_of_blocks(int n, const unsigned char *restrict x, short *restrict y)
{
#pragma acc parallel loop gang collapse(2) vector_length(64) present(x, y)
    for (int top = 0; top < n; top += 8)
        for (int left = 0; left < n; left += 8) {
            float t[8][8];
#pragma acc loop vector collapse(2)
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++) {
                    float sum = 0;
                    for (int k = 0; k < 8; k++)
                        sum += cosine[i][k] * x[(top + k) * n + left + j];
                    t[i][j] = sum;
                }
#pragma acc loop vector collapse(2)
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++) {
                    float sum = 0;
                    for (int k = 0; k < 8; k++)
                        sum += t[i][k] * cosine[j][k];
                    // What is added keeps sums off the middle of two integers.
                    y[(top + i) * n + left + j] = (short)rintf(sum / (1 + i + j) + 0.03f);
                }
        }
}

static void graded(int n, const struct vec3 *restrict table, const struct vec3 *restrict x, struct vec3 *restrict y)
{
#pragma acc parallel loop present(table, x, y)
    for (int i = 0; i < n; i++) {
        float r = x[i].x * (ENTRIES - 1), g = x[i].y * (ENTRIES - 1), b = x[i].z * (ENTRIES - 1);
        int p = r, q = g, s = b;
        const struct vec3 *at = table + (p * ENTRIES + q) * ENTRIES + s, *over = at + ENTRIES * ENTRIES;
        struct vec3 low = blend(blend(at[0], at[1], b - s), blend(at[ENTRIES], at[ENTRIES + 1], b - s), g - q);
        struct vec3 high = blend(blend(over[0], over[1], b - s), blend(over[ENTRIES], over[ENTRIES + 1], b - s), g - q);
        y[i] = blend(low, high, r - p);
    }
}

static void julia(int n, unsigned char *restrict y)
{
#pragma acc parallel loop collapse(2) present(y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double re = 3.0 * j / n - 1.5, im = 3.0 * i / n - 1.5;
            int step = 0;
            while (re * re + im * im < 4 && step < MOST_STEPS) {
                double next = re * re - im * im - 0.7;
                im = 2 * re * im + 0.27;
                re = next;
                step++;
            }
            y[(long)i * n + j] = step * 255 / MOST_STEPS;
        }
}

static void spheres(int n, const struct sphere *restrict s, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(s, y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float u = (float)j / n - 0.5f, v = (float)i / n - 0.5f, by = 1 / sqrtf(u * u + v * v + 1), best = 1e30f, shade = 0.1f;
            struct vec3 ray = {u * by, v * by, by};
            int hit = -1;
            for (int k = 0; k < SPHERES; k++) {
                float far = distance(ray, s[k]);
                if (far > 0 && far < best) {
                    best = far;
                    hit = k;
                }
            }
            if (hit >= 0) {
                struct vec3 normal = {ray.x * best - s[hit].x, ray.y * best - s[hit].y, ray.z * best - s[hit].z};
                shade += fmaxf(0, -dot(normal, ray) / s[hit].radius);
            }
            y[i * n + j] = shade;
        }
}

static void digests(int n, const unsigned *restrict message, unsigned *restrict y)
{
#pragma acc parallel loop present(message, y)
    for (int i = 0; i < n; i++) {
        unsigned w[16], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
        for (int t = 0; t < 16; t++)
            w[t] = message[t * n + i];
        for (int t = 0; t < 64; t++) {
            if (t >= 16) {
                unsigned p = w[(t + 1) % 16], q = w[(t + 14) % 16];
                w[t % 16] += (turn(p, 7) ^ turn(p, 18) ^ p >> 3) + w[(t + 9) % 16] + (turn(q, 17) ^ turn(q, 19) ^ q >> 10);
            }
            unsigned e = s[4], a = s[0];
            unsigned first = s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & s[5]) ^ (~e & s[6]));
            first += round_constant[t] + w[t % 16];
            unsigned second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
            for (int k = 7; k > 0; k--)
                s[k] = s[k - 1];
            s[4] += first;
            s[0] = first + second;
        }
        for (int k = 0; k < 8; k++)
            y[k * n + i] = s[k];
    }
}

static void remainders_of(int n, const unsigned *restrict remainders, const unsigned char *restrict x, unsigned *restrict y)
{
#pragma acc parallel loop present(remainders, x, y)
    for (int i = 0; i < n; i++) {
        unsigned value = ~0u;
        for (int k = 0; k < OF_RECORD; k++)
            value = value >> 8 ^ remainders[(value ^ x[i * OF_RECORD + k]) & 255];
        y[i] = ~value;
    }
}

static void letters_of(int n, const unsigned char *restrict x, char *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++) {
        unsigned bits = x[3 * i] << 16 | x[3 * i + 1] << 8 | x[3 * i + 2];
        y[4 * i] = alphabet[bits >> 18];
        y[4 * i + 1] = alphabet[bits >> 12 & 63];
        y[4 * i + 2] = alphabet[bits >> 6 & 63];
        y[4 * i + 3] = alphabet[bits & 63];
    }
}

static void digits(int tiles, const int *restrict x, int *restrict y)
{
#pragma acc parallel loop gang vector_length(256) present(x, y)
    for (int tile = 0; tile < tiles; tile++) {
        int count[16];
#pragma acc loop vector
        for (int d = 0; d < 16; d++)
            count[d] = 0;
#pragma acc loop vector
        for (int k = 0; k < OF_TILE; k++) {
#pragma acc atomic update
            count[x[tile * OF_TILE + k] >> 8 & 15]++;
        }
#pragma acc loop vector
        for (int d = 0; d < 16; d++)
            y[d * tiles + tile] = count[d];
    }
}

static void edits(int n, const unsigned char *restrict p, const unsigned char *restrict q, int *restrict y)
{
#pragma acc parallel loop present(p, q, y)
    for (int m = 0; m < n; m++) {
        int row[LETTERS + 1];
        for (int j = 0; j <= LETTERS; j++)
            row[j] = j;
        for (int i = 0; i < LETTERS; i++) {
            int letter = p[m * LETTERS + i] & 3, above = row[0];
            row[0] = i + 1;
            for (int j = 0; j < LETTERS; j++) {
                int best = above + (letter != (q[m * LETTERS + j] & 3));
                above = row[j + 1];
                if (above + 1 < best)
                    best = above + 1;
                if (row[j] + 1 < best)
                    best = row[j] + 1;
                row[j + 1] = best;
            }
        }
        y[m] = row[LETTERS];
    }
}

static void frontier(int n, const int *restrict start, const int *restrict to, const int *restrict level, int *restrict next)
{
#pragma acc parallel loop independent present(start, to, level, next)
    for (int i = 0; i < n; i++)
        if ((level[i] & 7) == 3)
            for (int k = start[i]; k < start[i + 1]; k++) {
                int j = to[k] % NODES;
                if ((level[j] & 7) > 3)
                    next[j] = 1;
            }
}

static void powers(int n, const unsigned *restrict x, unsigned *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++) {
        unsigned long long prime = 4294967291u, base = x[i], power = 1;
        unsigned exponent = x[i + 1] & 0xffff;
        while (exponent) {
            if (exponent & 1)
                power = power * base % prime;
            base = base * base % prime;
            exponent >>= 1;
        }
        y[i] = power;
    }
}

static void mean_prices(int n, const unsigned *restrict seed, float *restrict y)
{
#pragma acc parallel loop gang vector present(seed, y)
    for (int i = 0; i < n; i++) {
        unsigned long long state = seed[i];
        float price = 100, sum = 0;
        step(&state);
        for (int day = 0; day < DAYS; day++) {
            float u = (step(&state) + 1) * 0x1p-24f, v = step(&state) * 0x1p-24f;
            price *= expf(0.0001f + 0.02f * sqrtf(-2 * logf(u)) * cosf(6.2831853f * v));
            sum += price;
        }
        y[i] = fmaxf(sum / DAYS - 95, 0);
    }
}

static void strided(int images, int n, const float *restrict x, const float *restrict w, float *restrict y)
{
#pragma acc parallel loop collapse(4) present(x, w, y)
    for (int m = 0; m < images; m++)
        for (int k = 0; k < TO; k++)
            for (int i = 0; i < n / 2; i++)
                for (int j = 0; j < n / 2; j++) {
                    float sum = 0;
                    for (int from = 0; from < FROM; from++)
                        for (int di = 0; di < 3; di++)
                            for (int dj = 0; dj < 3; dj++) {
                                int row = 2 * i + di - 1, column = 2 * j + dj - 1;
                                if (row >= 0 && row < n && column >= 0 && column < n)
                                    sum += w[((k * FROM + from) * 3 + di) * 3 + dj] * x[((m * FROM + from) * n + row) * n + column];
                            }
                    y[((m * TO + k) * (n / 2) + i) * (n / 2) + j] = sum;
                }
}

static void attention(int queries, const float *restrict q, const float *restrict k, const float *restrict v, float *restrict y)
{
#pragma acc parallel loop gang vector_length(128) present(q, k, v, y)
    for (int i = 0; i < queries; i++) {
        float score[KEYS], most = -INFINITY, sum = 0;
#pragma acc loop vector reduction(max:most)
        for (int j = 0; j < KEYS; j++) {
            float product = 0;
            for (int d = 0; d < DEPTH; d++)
                product += q[i * DEPTH + d] * k[j * DEPTH + d];
            score[j] = product * 0.125f;
            most = fmaxf(most, score[j]);
        }
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < KEYS; j++) {
            score[j] = expf(score[j] - most);
            sum += score[j];
        }
#pragma acc loop vector
        for (int d = 0; d < DEPTH; d++) {
            float mean = 0;
            for (int j = 0; j < KEYS; j++)
                mean += score[j] * v[j * DEPTH + d];
            y[i * DEPTH + d] = mean / sum;
        }
    }
}

static void bags(int n, const int *restrict of, const float *restrict table, float *restrict y)
{
#pragma acc parallel loop gang worker vector_length(64) present(of, table, y)
    for (int i = 0; i < n; i++)
#pragma acc loop vector
        for (int d = 0; d < DEPTH; d++) {
            float sum = 0;
#pragma acc loop seq
            for (int k = 0; k < OF_BAG; k++)
                sum += table[(of[i * OF_BAG + k] % ROWS_OF_TABLE) * DEPTH + d];
            y[i * DEPTH + d] = sum / OF_BAG;
        }
}

static void entropy(int n, int classes, const int *restrict label, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang present(label, x, y)
    for (int i = 0; i < n; i++) {
        const float *row = x + i * classes;
        float most = row[0], sum = 0;
#pragma acc loop vector reduction(max:most)
        for (int j = 0; j < classes; j++)
            if (row[j] > most)
                most = row[j];
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < classes; j++)
            sum += expf(row[j] - most);
        y[i] = logf(sum) + most - row[label[i] % classes];
    }
}

static void peaks(int n, int length, const float *restrict x, int *restrict y)
{
#pragma acc parallel loop gang present(x, y)
    for (int i = 0; i < n; i++) {
        float most = 0;
        int at = length;
#pragma acc loop vector reduction(max:most)
        for (int j = 0; j < length; j++)
            most = fmaxf(most, x[i * length + j]);
#pragma acc loop vector reduction(min:at)
        for (int j = 0; j < length; j++)
            if (x[i * length + j] == most)
                at = j < at ? j : at;
        y[i] = at;
    }
}

static void angles(int n, int length, const double *restrict x, const double *restrict y, double *restrict z)
{
#pragma acc parallel loop gang worker num_workers(8) vector_length(32) present(x, y, z)
    for (int i = 0; i < n; i++) {
        double product = 0, left = 0, right = 0;
#pragma acc loop vector reduction(+:product, left, right)
        for (int j = 0; j < length; j++) {
            product += x[i * length + j] * y[i * length + j];
            left += x[i * length + j] * x[i * length + j];
            right += y[i * length + j] * y[i * length + j];
        }
        z[i] = acos(product / sqrt(left * right));
    }
}

static void adam(int n, const float *restrict gradient, float *restrict mean, float *restrict square, float *restrict weight)
{
#pragma acc parallel loop present(gradient, mean, square, weight)
    for (int i = 0; i < n; i++) {
        float g = gradient[i] + 0.01f * weight[i];
        mean[i] = 0.9f * mean[i] + 0.1f * g;
        square[i] = 0.999f * square[i] + 0.001f * g * g;
        weight[i] -= 0.001f * (mean[i] / 0.1f) / (sqrtf(square[i] / 0.001f) + 1e-3f);
    }
}

static void filtered(int n, const float *restrict tap, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(tap, x, y)
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < TAPS; k++)
            sum += tap[k] * x[i + k];
        y[i] = sum;
    }
}

static void sections(int channels, int moments, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int j = 0; j < channels; j++) {
        float z[4][2] = {{0}};
        for (int i = 0; i < moments; i++) {
            float value = x[i * channels + j];
            for (int s = 0; s < 4; s++) {
                float out = section[s].b0 * value + z[s][0];
                z[s][0] = section[s].b1 * value - section[s].a1 * out + z[s][1];
                z[s][1] = section[s].b2 * value - section[s].a2 * out;
                value = out;
            }
            y[i * channels + j] = value;
        }
    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    float *a = malloc(sizeof(float) * N), *b = malloc(sizeof(float) * N), *c = malloc(sizeof(float) * N);
    float *work = malloc(sizeof(float) * PLANE * PLANE);
    int *at = malloc(sizeof(int) * N), *start = malloc(sizeof(int) * (NODES + 1)), before[PLANE], after[PLANE];
    double *wide = malloc(sizeof(double) * (N / 2)), *out = (double *)c;
    unsigned remainders[256], state = 1;
    struct sphere scene[SPHERES];
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        a[i] = (state >> 8) * 0x1p-24f;
        b[i] = 1.0f - a[i];
        at[i] = state >> 4;
        wide[i / 2] = a[i];
    }
    start[0] = 0;
    for (int i = 0; i < NODES; i++)
        start[i + 1] = start[i] + 8 + (at[i] >> 4) % (MOST_PER_ROW - 7);
    for (int i = 0; i < PLANE; i++) {
        before[i] = i > 0 ? i - 1 : 0;
        after[i] = i < PLANE - 1 ? i + 1 : i;
    }
    for (int k = 0; k < SPHERES; k++) {
        struct sphere s = {4 * a[3 * k] - 2, 4 * a[3 * k + 1] - 2, 3 + 4 * a[3 * k + 2], 0.3f + 0.5f * b[k]};
        scene[k] = s;
    }
    fill_remainders(remainders);
    float *fields = b;
    struct charge *charges = (struct charge *)a;
    unsigned char *bytes = (unsigned char *)at;
#pragma acc data copyin(a[0:N], b[0:N], at[0:N], wide[0:N / 2], start[0:NODES + 1], before, after, remainders, scene) \
    copyout(c[0:N]) create(work[0:PLANE * PLANE])
    {
        CHECKED("hotspot", float, PLANE *PLANE, hotspot(PLANE, b, a, c));
        CHECKED("speckle", float, PLANE *PLANE, speckle(PLANE, before, after, a, c));
        CHECKED("diffusion", double, CUBE *CUBE *CUBE,
                diffusion(CUBE, (double(*)[CUBE][CUBE])wide, (double(*)[CUBE][CUBE])(wide + CUBE * CUBE * CUBE),
                          (double(*)[CUBE][CUBE])c));
        CHECKED("red_cube", float, COLOURED *COLOURED *COLOURED,
                red_cube(COLOURED, (float(*)[COLOURED][COLOURED])a, (float(*)[COLOURED][COLOURED])c));
        CHECKED("shallow", float, 3 * PLANE * PLANE, shallow(PLANE, (struct cell *)a, (struct cell *)c));
        CHECKED("weno", double, PLANE *PLANE, weno(PLANE, wide, out));
        CHECKED("riemann", double, 3 * STATES, riemann(STATES, (struct gas *)wide, (struct flow *)c));
        CHECKED("adiabats", double, STATES, adiabats(STATES, wide, out));
        CHECKED("mixture", double, SPECIES *MIXTURES, mixture(MIXTURES, wide, wide + SPECIES * MIXTURES, out));
        CHECKED("edge_sums", float, NODES, edge_sums(EDGES, (struct edge *)at, a, c));
        CHECKED("deposit", float, GRID *GRID, deposit(CHARGES, charges, c));
        CHECKED("push", float, 4 * CHARGES,
                push(CHARGES, fields, fields + GRID * GRID, fields + 2 * GRID * GRID, charges, (struct charge *)c));
        CHECKED("sort_into_cells", unsigned, CELLS, sort_into_cells(2 * CHARGES, (struct vec3 *)a, (unsigned *)c, (int *)work));
        CHECKED("gravity", double, 3 * BODIES, gravity(BODIES, (struct body *)wide, (struct force *)c));
        CHECKED("hexahedra", double, 3 * CORNERS, hexahedra(HEXAHEDRA, at, wide + 3 * CORNERS, wide, out));
        CHECKED("ranks", double, NODES, ranks(NODES, start, at, wide, out));
        CHECKED("diagonals", double, BANDED, diagonals(BANDED, wide, wide + DIAGONALS * BANDED, out));
        CHECKED("inverses", float, 16 * INVERSES, inverses(INVERSES, a, c));
        CHECKED("solves", double, 5 * SOLVES, solves(SOLVES, wide, wide + 25 * SOLVES, out));
        CHECKED("by_its_transpose", double, ORDER *ORDER, by_its_transpose(ORDER, SHARED, wide, out));
        CHECKED("contraction", float, EXTENT *EXTENT *EXTENT *EXTENT, contraction(EXTENT, a, b, c));
        CHECKED("butterflies", float, N, butterflies(N / 2, HALF, (struct number *)a, (struct number *)c));
        CHECKED("hues", unsigned char, 3 * PIXELS, hues(PIXELS, (struct colour *)at, (struct colour *)c));
        CHECKED("blurred", float, PLANE *PLANE, blurred(PLANE, a, work, c));
        CHECKED("cosines_of_blocks", short, PLANE *PLANE, cosines_of_blocks(PLANE, bytes, (short *)c));
        CHECKED("graded", float, 3 * PIXELS, graded(PIXELS, (struct vec3 *)b, (struct vec3 *)a, (struct vec3 *)c));
        CHECKED("julia", unsigned char, PLANE *PLANE, julia(PLANE, (unsigned char *)c));
        CHECKED("spheres", float, PLANE *PLANE, spheres(PLANE, scene, c));
        CHECKED("digests", unsigned, 8 * MESSAGES, digests(MESSAGES, (unsigned *)at, (unsigned *)c));
        CHECKED("remainders_of", unsigned, RECORDS, remainders_of(RECORDS, remainders, bytes, (unsigned *)c));
        CHECKED("letters_of", char, 4 * PIXELS, letters_of(PIXELS, bytes, (char *)c));
        CHECKED("digits", int, N / OF_TILE * 16, digits(N / OF_TILE, at, (int *)c));
        CHECKED("edits", int, PAIRS, edits(PAIRS, bytes, bytes + PAIRS * LETTERS, (int *)c));
        CHECKED("frontier", int, NODES, frontier(NODES, start, at, at + N / 2, (int *)c));
        CHECKED("powers", unsigned, POWERS, powers(POWERS, (unsigned *)at, (unsigned *)c));
        CHECKED("mean_prices", float, WALKS, mean_prices(WALKS, (unsigned *)at, c));
        CHECKED("strided", float, IMAGES *TO *PICTURE *PICTURE / 4, strided(IMAGES, PICTURE, a, b, c));
        CHECKED("attention", float, QUERIES *DEPTH, attention(QUERIES, a, b, b + KEYS * DEPTH, c));
        CHECKED("bags", float, BAGS *DEPTH, bags(BAGS, at, a, c));
        CHECKED("entropy", float, EXAMPLES, entropy(EXAMPLES, CLASSES, at, a, c));
        CHECKED("peaks", int, LONG_ROWS, peaks(LONG_ROWS, LONG, a, (int *)c));
        CHECKED("angles", double, VECTORS, angles(VECTORS, OF_VECTOR, wide, wide + VECTORS * OF_VECTOR, out));
        CHECKED("adam", float, 3 * WEIGHTS, adam(WEIGHTS, a, c, c + WEIGHTS, c + 2 * WEIGHTS));
        CHECKED("filtered", float, SAMPLES, filtered(SAMPLES, b, a, c));
        CHECKED("sections", float, CHANNELS *MOMENTS, sections(CHANNELS, MOMENTS, a, c));
    }
    return 0;
}
