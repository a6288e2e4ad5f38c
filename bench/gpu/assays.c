// Loops of kinds that the other suites do not have: columns of air, light and its tables, trees of bodies,
// integrals of electrons, codecs, sound, graphs, texts, prices, layers of networks, rock, gas in lists,
// turbulence, cells that follow a material, codes of bits. They are written as their users write them, by
// somebody who did not look at what accrue makes of them. Names and sizes are those of assays.cu. Prints a
// checksum for each.
//
//     assays [ROUNDS]
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "assays.h"
#include "checked.h"

static void remapped(int columns, const double *restrict thick, const double *restrict value, double *restrict y)
{
#pragma acc parallel loop gang vector present(thick, value, y)
    for (int i = 0; i < columns; i++) {
        double total = 0;
        for (int k = 0; k < LAYERS; k++)
            total += thick[k * columns + i] + 0.1;
        double want = total / LAYERS, left = thick[i] + 0.1;
        int k = 0;
        for (int m = 0; m < LAYERS; m++) {
            double need = want, sum = 0;
            while (need > left && k < LAYERS - 1) {
                sum += left * value[k * columns + i];
                need -= left;
                k++;
                left = thick[k * columns + i] + 0.1;
            }
            y[m * columns + i] = (sum + need * value[k * columns + i]) / want;
            left -= need;
        }
    }
}

static void clouds(int columns, const double *cover, double *clear)
{
#pragma acc kernels present(cover, clear)
#pragma acc loop independent
    for (int i = 0; i < columns; i++) {
        double through = 1, before = 0;
        for (int k = 0; k < LAYERS; k++) {
            double here = 0.2 * cover[k * columns + i];
            through *= (1 - fmax(here, before)) / (1 - fmin(before, 0.999));
            clear[k * columns + i] = through;
            before = here;
        }
    }
}

static void depths(const float *restrict pressure, const float *restrict temperature, const float *restrict amount,
                   const float *restrict table, float *restrict tau)
{
#pragma acc parallel loop collapse(3) present(pressure, temperature, amount, table, tau)
    for (int i = 0; i < SOUNDINGS; i++)
        for (int k = 0; k < LAYERS; k++)
            for (int g = 0; g < PARTS; g++) {
                float p = pressure[i * LAYERS + k] * (PRESSURES - 1.001f);
                float t = temperature[i * LAYERS + k] * (TEMPERATURES - 1.001f);
                int jp = (int)p, jt = (int)t;
                float fp = p - jp, ft = t - jt;
                float sum = (1 - fp) * ((1 - ft) * table[(jp * TEMPERATURES + jt) * PARTS + g] +
                                        ft * table[(jp * TEMPERATURES + jt + 1) * PARTS + g]) +
                            fp * ((1 - ft) * table[((jp + 1) * TEMPERATURES + jt) * PARTS + g] +
                                  ft * table[((jp + 1) * TEMPERATURES + jt + 1) * PARTS + g]);
                tau[(i * LAYERS + k) * PARTS + g] = sum * amount[i * LAYERS + k];
            }
}

static void tree_walk(int bodies, int cells, float theta, const struct cell *restrict tree, const float *restrict x,
                      const float *restrict y, const float *restrict z, float *restrict force)
{
#pragma acc parallel loop present(tree, x, y, z, force)
    for (int i = 0; i < bodies; i++) {
        float fx = 0, fy = 0, fz = 0;
        int n = 0;
        while (n < cells) {
            float dx = tree[n].x - x[i], dy = tree[n].y - y[i], dz = tree[n].z - z[i];
            float square = dx * dx + dy * dy + dz * dz + 1e-3f;
            if (tree[n].size * tree[n].size < theta * theta * square || tree[n].next == n + 1) {
                float by = tree[n].mass / (square * sqrtf(square));
                fx += by * dx;
                fy += by * dy;
                fz += by * dz;
                n = tree[n].next;
            } else
                n++;
        }
        force[3 * i] = fx;
        force[3 * i + 1] = fy;
        force[3 * i + 2] = fz;
    }
}

static void overlapping(int n, const double *centre, const double *exponent, const double *weight, double *s)
{
#pragma acc parallel loop collapse(2) present(centre, exponent, weight, s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double dx = centre[3 * i] - centre[3 * j], dy = centre[3 * i + 1] - centre[3 * j + 1];
            double dz = centre[3 * i + 2] - centre[3 * j + 2], square = dx * dx + dy * dy + dz * dz, sum = 0;
            for (int p = 0; p < PRIMITIVES; p++)
                for (int q = 0; q < PRIMITIVES; q++) {
                    double a = exponent[i * PRIMITIVES + p] + 0.2, b = exponent[j * PRIMITIVES + q] + 0.2, both = 1 / (a + b);
                    double part = 3.141592653589793 * both;
                    sum += weight[i * PRIMITIVES + p] * weight[j * PRIMITIVES + q] * part * sqrt(part) *
                           exp(-a * b * both * square);
                }
            s[i * n + j] = sum;
        }
}

static void nuclear(int n, int atoms, const float (*restrict orbital)[4], const float (*restrict atom)[4],
                    float (*restrict v)[ORBITALS])
{
#pragma acc parallel loop present(orbital, atom, v)
    for (int i = 0; i < n; i++) {
#pragma acc loop
        for (int j = 0; j <= i; j++) {
            float a = orbital[i][3] + 0.3f, b = orbital[j][3] + 0.3f, both = a + b;
            float x = (a * orbital[i][0] + b * orbital[j][0]) / both, y = (a * orbital[i][1] + b * orbital[j][1]) / both,
                  z = (a * orbital[i][2] + b * orbital[j][2]) / both;
            float sum = 0;
            for (int k = 0; k < atoms; k++) {
                float dx = x - atom[k][0], dy = y - atom[k][1], dz = z - atom[k][2];
                float t = both * (dx * dx + dy * dy + dz * dz), boys;
                if (t < 1e-4f)
                    boys = 1 - t / 3;
                else
                    boys = 0.88622693f * erff(sqrtf(t)) / sqrtf(t);
                sum -= atom[k][3] * 6.2831853f / both * boys;
            }
            v[i][j] = sum;
            v[j][i] = sum;
        }
    }
}

static void coded(int blocks, const int *restrict order, const short *restrict coefficients, int *restrict bits)
{
#pragma acc parallel loop gang vector present(order, coefficients, bits)
    for (int b = 0; b < blocks; b++) {
        int run = 0, sum = 0;
        for (int k = 1; k < 64; k++) {
            int value = coefficients[64 * b + order[k]] / 9000;
            if (value == 0)
                run++;
            else {
                while (run > 15) {
                    sum += 11;
                    run -= 16;
                }
                for (int rest = value < 0 ? -value : value; rest; rest >>= 1)
                    sum++;
                sum += 4 + run / 2;
                run = 0;
            }
        }
        bits[b] = run ? sum + 4 : sum;
    }
}

static void lifted(int n, const int16_t (*restrict x)[SQUARE], int16_t (*restrict y)[SQUARE])
{
#pragma acc parallel loop collapse(2) present(x, y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n / 2; j++) {
            int before = j > 0 ? 2 * j - 2 : 0, odd = j > 0 ? 2 * j - 1 : 1, after = 2 * j + 2 < n ? 2 * j + 2 : n - 2;
            int low = x[i][odd] - (x[i][before] + x[i][2 * j]) / 2;
            int high = x[i][2 * j + 1] - (x[i][2 * j] + x[i][after]) / 2;
            y[i][j] = x[i][2 * j] + (low + high + 2) / 4;
            y[i][n / 2 + j] = high;
        }
}

static void deblocked(int n, int alpha, int beta, const uint8_t *restrict from, uint8_t *restrict to)
{
#pragma acc parallel loop gang present(from, to)
    for (int i = 0; i < n; i++)
#pragma acc loop vector
        for (int e = 0; e < n / 8 - 1; e++) {
            const uint8_t *p = from + i * n + 8 * e + 4;
            uint8_t *q = to + i * n + 8 * e + 4;
            int p1 = p[2], p0 = p[3], q0 = p[4], q1 = p[5];
            for (int k = 0; k < 8; k++)
                q[k] = p[k];
            if (abs(p0 - q0) < alpha && abs(p1 - p0) < beta && abs(q1 - q0) < beta) {
                int by = ((q0 - p0) * 4 + (p1 - q1) + 4) >> 3;
                by = by < -6 ? -6 : by > 6 ? 6 : by;
                int left = p0 + by, right = q0 - by;
                q[3] = left < 0 ? 0 : left > 255 ? 255 : left;
                q[4] = right < 0 ? 0 : right > 255 ? 255 : right;
            }
        }
}

static void hadamard(int n, const uint8_t *restrict p, const uint8_t *restrict q, int *restrict cost)
{
#pragma acc parallel loop collapse(2) present(p, q, cost)
    for (int i = 0; i < n / 4; i++)
        for (int j = 0; j < n / 4; j++) {
            int d[4][4], sum = 0;
            for (int r = 0; r < 4; r++) {
                int at = (4 * i + r) * n + 4 * j;
                int d0 = p[at] - q[at], d1 = p[at + 1] - q[at + 1], d2 = p[at + 2] - q[at + 2], d3 = p[at + 3] - q[at + 3];
                d[r][0] = d0 + d1 + d2 + d3;
                d[r][1] = d0 - d1 + d2 - d3;
                d[r][2] = d0 + d1 - d2 - d3;
                d[r][3] = d0 - d1 - d2 + d3;
            }
            for (int s = 0; s < 4; s++) {
                sum += abs(d[0][s] + d[1][s] + d[2][s] + d[3][s]) + abs(d[0][s] - d[1][s] + d[2][s] - d[3][s]);
                sum += abs(d[0][s] + d[1][s] - d[2][s] - d[3][s]) + abs(d[0][s] - d[1][s] - d[2][s] + d[3][s]);
            }
            cost[i * (n / 4) + j] = sum;
        }
}

static void goertzel(int frames, const float *restrict sound, const float *restrict turn, float *restrict power)
{
#pragma acc parallel loop collapse(2) present(sound, turn, power)
    for (int f = 0; f < frames; f++)
        for (int tone = 0; tone < TONES; tone++) {
            float by = 2 * turn[tone] - 1, one = 0, two = 0;
            for (int t = 0; t < OF_FRAME; t++) {
                float next = sound[f * OF_FRAME + t] + by * one - two;
                two = one;
                one = next;
            }
            power[f * TONES + tone] = one * one + two * two - by * one * two;
        }
}

static void resampled(long n, const float *restrict x, const float *restrict taps, float *restrict y)
{
#pragma acc parallel loop present(x, taps, y)
    for (long i = 0; i < n; i++) {
        long at = i * DOWN / UP;
        int phase = i * DOWN % UP;
        float sum = 0;
        for (int k = 0; k < TAPS; k++)
            sum += taps[phase * TAPS + k] * x[at + k];
        y[i] = sum;
    }
}

static void autocorrelated(int frames, const float *restrict sound, float *restrict y)
{
#pragma acc parallel present(sound, y)
    {
#pragma acc loop gang collapse(2)
        for (int f = 0; f < frames; f++)
            for (int lag = 0; lag < LAGS; lag++) {
                float sum = 0;
#pragma acc loop vector reduction(+:sum)
                for (int t = 0; t < 2 * OF_FRAME - lag; t++)
                    sum += sound[f * 2 * OF_FRAME + t] * sound[f * 2 * OF_FRAME + t + lag];
                y[f * LAGS + lag] = sum;
            }
    }
}

static void filter_bank(int spectra, const int *restrict first, const float *restrict re, const float *restrict im,
                        float *restrict y)
{
#pragma acc parallel loop collapse(2) present(first, re, im, y)
    for (int s = 0; s < spectra; s++)
        for (int f = 0; f < FILTERS; f++) {
            int low = first[f], top = first[f + 1], high = first[f + 2];
            float sum = 0;
            for (int k = low; k < high; k++) {
                float power = re[s * BINS + k] * re[s * BINS + k] + im[s * BINS + k] * im[s * BINS + k];
                float by = k < top ? (float)(k - low) / (top - low) : (float)(high - k) / (high - top);
                sum += by * power;
            }
            y[s * FILTERS + f] = logf(sum + 1e-6f);
        }
}

static void page_rank(int n, const int *restrict rows, const int *restrict edges, const int *restrict links,
                      const float *restrict rank, float *restrict next, float *restrict change)
{
    float sum = 0;
#pragma acc parallel loop reduction(+:sum) present(rows, edges, links, rank, next)
    for (int i = 0; i < n; i++) {
        float in = 0;
        for (int e = rows[i]; e < rows[i + 1]; e++) {
            int from = edges[e] % n;
            in += rank[from] / (1 + (links[from] & 15));
        }
        next[i] = 0.15f / n + 0.85f * in;
        sum += fabsf(next[i] - rank[i]);
    }
#pragma acc serial present(change)
    *change = sum;
}

static void coloured(int n, const int *restrict rows, const int *restrict edges, const uint8_t *restrict colour,
                     uint8_t *restrict y)
{
#pragma acc parallel loop present(rows, edges, colour, y)
    for (int i = 0; i < n; i++) {
        unsigned long long taken = 0;
        for (int e = rows[i]; e < rows[i + 1]; e++)
            taken |= 1ull << (colour[edges[e] % n] & 15);
        int free = 0;
        while (taken >> free & 1)
            free++;
        y[i] = free;
    }
}

static void hooked(int n, const int *restrict parent, int *restrict root)
{
#pragma acc parallel loop present(parent, root)
    for (int i = 0; i < n; i++) {
        int at = i;
        while (parent[at] != at)
            at = parent[at];
        root[i] = at;
    }
}

static void common_prefixes(int n, const int *restrict suffixes, const uint8_t *restrict text, uint8_t *restrict y)
{
#pragma acc parallel loop present(suffixes, text, y)
    for (int i = 0; i < n - 1; i++) {
        int p = suffixes[i] % n, q = suffixes[i + 1] % n, length = 0;
        while (length < 64 && (text[p + length] & 1) == (text[q + length] & 1))
            length++;
        y[i] = length;
    }
}

static void checked_records(int records, const unsigned *restrict checks, const uint8_t *restrict bytes, unsigned *restrict y)
{
#pragma acc parallel loop vector_length(128) present(checks, bytes, y)
    for (int r = 0; r < records; r++) {
        unsigned crc = ~0u;
        for (int k = 0; k < OF_RECORD; k++)
            crc = checks[(crc ^ bytes[(size_t)r * OF_RECORD + k]) & 255] ^ crc >> 8;
        y[r] = ~crc;
    }
}

static void parsed(int fields, const uint8_t *restrict text, int *restrict y)
{
#pragma acc parallel loop present(text, y)
    for (int f = 0; f < fields; f++) {
        const uint8_t *p = text + f * OF_FIELD, *end = p + OF_FIELD;
        int sign = *p & 1 ? -1 : 1, value = 0;
        p++;
        while (p < end) {
            int digit = *p % 16;
            if (digit > 9)
                break;
            value = 10 * (value % 100000000) + digit;
            p++;
        }
        y[f] = sign * value;
    }
}

static void sensitivities(int n, const double *restrict spot, const double *restrict strike, double *restrict delta,
                          double *restrict gamma, double *restrict vega)
{
#pragma acc parallel loop present(spot, strike, delta, gamma, vega)
    for (int i = 0; i < n; i++) {
        double s = 50 + 100 * spot[i], k = 50 + 100 * strike[i], years = 0.1 + spot[n + i], spread = 0.1 + 0.4 * strike[n + i];
        double root = spread * sqrt(years), d = (log(s / k) + (0.03 + 0.5 * spread * spread) * years) / root;
        double density = 0.3989422804014327 * exp(-0.5 * d * d);
        delta[i] = 0.5 * erfc(-d * 0.7071067811865475);
        gamma[i] = density / (s * root);
        vega[i] = s * density * sqrt(years);
    }
}

static void at_risk(int scenarios, int positions, const float *restrict shocks, const int *restrict factor,
                    const float *restrict held, const float *restrict strike, float *restrict loss)
{
#pragma acc parallel loop gang present(shocks, factor, held, strike, loss)
    for (int s = 0; s < scenarios; s++) {
        float sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int p = 0; p < positions; p++) {
            float price = 1 + 0.2f * (shocks[s * FACTORS + factor[p] % FACTORS] - 0.5f);
            float worth = price - 0.5f - strike[p];
            sum += held[p] * (worth > 0 ? worth : 0);
        }
        loss[s] = -sum;
    }
}

static void convolved(const float x[restrict IMAGES][CHANNELS][EDGE][EDGE], const float w[restrict CHANNELS][CHANNELS][3][3],
                      float y[restrict IMAGES][CHANNELS][EDGE][EDGE])
{
#pragma acc parallel loop collapse(4) present(x[:IMAGES], w[:CHANNELS], y[:IMAGES])
    for (int n = 0; n < IMAGES; n++)
        for (int k = 0; k < CHANNELS; k++)
            for (int i = 0; i < EDGE; i++)
                for (int j = 0; j < EDGE; j++) {
                    float sum = 0;
                    for (int c = 0; c < CHANNELS; c++)
                        for (int r = 0; r < 3; r++)
                            for (int s = 0; s < 3; s++) {
                                int u = i + r - 1, v = j + s - 1;
                                if (u >= 0 && u < EDGE && v >= 0 && v < EDGE)
                                    sum += x[n][c][u][v] * w[k][c][r][s];
                            }
                    y[n][k][i][j] = sum > 0 ? sum : 0;
                }
}

static void weight_gradient(const float x[restrict IMAGES][CHANNELS][EDGE][EDGE],
                            const float dy[restrict IMAGES][CHANNELS][EDGE][EDGE], float dw[restrict CHANNELS][CHANNELS][3][3])
{
#pragma acc parallel loop gang collapse(4) present(x[:IMAGES], dy[:IMAGES], dw[:CHANNELS])
    for (int k = 0; k < CHANNELS; k++)
        for (int c = 0; c < CHANNELS; c++)
            for (int r = 0; r < 3; r++)
                for (int s = 0; s < 3; s++) {
                    float sum = 0;
#pragma acc loop vector collapse(3) reduction(+:sum)
                    for (int n = 0; n < IMAGES; n++)
                        for (int i = 1; i < EDGE - 1; i++)
                            for (int j = 1; j < EDGE - 1; j++)
                                sum += dy[n][k][i][j] * x[n][c][i + r - 1][j + s - 1];
                    dw[k][c][r][s] = sum;
                }
}

static void rotary(int tokens, const float *restrict q, const float *restrict cosine, const float *restrict sine,
                   float *restrict y)
{
#pragma acc parallel loop collapse(3) present(q, cosine, sine, y)
    for (int t = 0; t < tokens; t++)
        for (int h = 0; h < HEADS; h++)
            for (int d = 0; d < HALF; d++) {
                int at = (t * HEADS + h) * 2 * HALF + d, place = t % PLACES;
                float c = cosine[place * HALF + d], s = sine[place * HALF + d];
                y[at] = q[at] * c - q[at + HALF] * s;
                y[at + HALF] = q[at + HALF] * c + q[at] * s;
            }
}

static void dropped(int rows, int columns, unsigned seed, const float *restrict x, const float *restrict bias,
                    float *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, bias, y)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            float value = gelu(x[i * columns + j] + bias[j]);
            y[i * columns + j] = scattered(seed + i * columns + j) > 0x20000000u ? value / 0.875f : 0;
        }
}

static void unpooled(int maps, const float *restrict x, const float *restrict dy, float *restrict dx)
{
    const int edge = 2 * POOLED + 1;
#pragma acc data present(x, dy, dx)
    {
#pragma acc parallel loop
        for (int i = 0; i < maps * edge * edge; i++)
            dx[i] = 0;
#pragma acc parallel loop collapse(3)
        for (int m = 0; m < maps; m++)
            for (int i = 0; i < POOLED; i++)
                for (int j = 0; j < POOLED; j++) {
                    int best = (m * edge + 2 * i) * edge + 2 * j;
                    for (int r = 0; r < 3; r++)
                        for (int s = 0; s < 3; s++) {
                            int at = (m * edge + 2 * i + r) * edge + 2 * j + s;
                            if (x[at] > x[best])
                                best = at;
                        }
#pragma acc atomic update
                    dx[best] += dy[(m * POOLED + i) * POOLED + j];
                }
    }
}

static void clipped(int n, float most, const float *restrict g, float *restrict y)
{
    float square = 0;
#pragma acc kernels present(g, y)
    {
        for (int i = 0; i < n; i++)
            square += g[i] * g[i];
        float norm = sqrtf(square), by = norm > most ? most / (norm + 1e-6f) : 1;
        for (int i = 0; i < n; i++)
            y[i] = by * g[i];
    }
}

static void byte_product(int n, float scale, const int8_t (*restrict x)[WORDS], const int8_t (*restrict w)[WORDS],
                         float (*restrict y)[WORDS])
{
#pragma acc parallel loop collapse(2) present(x, w, y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int k = 0; k < n; k++)
                sum += x[i][k] * w[j][k];
            y[i][j] = scale * sum;
        }
}

static void lennard_jones(int n, const struct place *restrict p, const int *restrict neighbours, double (*restrict force)[3])
{
#pragma acc parallel loop present(p, neighbours, force)
    for (int i = 0; i < n; i++) {
        struct place here = p[i];
        double f[3] = {0};
        for (int j = 0; j < NEIGHBOURS; j++) {
            struct place there = p[neighbours[j * n + i]];
            double dx = here.x - there.x, dy = here.y - there.y, dz = here.z - there.z;
            double square = dx * dx + dy * dy + dz * dz;
            if (square < 0.3) {
                double by = 1 / (square + 0.01), six = 1e-3 * by * by * by;
                double strength = by * six * (six - 0.5);
                f[0] += dx * strength;
                f[1] += dy * strength;
                f[2] += dz * strength;
            }
        }
        for (int d = 0; d < 3; d++)
            force[i][d] = f[d];
    }
}

#define AT(a, di, dj, dk) a[((i + (di)) * n + j + (dj)) * n + k + (dk)]

static void turbulence(int n, double by, const double *restrict u, const double *restrict v, const double *restrict w,
                       const double *restrict energy, double *restrict y)
{
#pragma acc parallel loop gang collapse(2) present(u, v, w, energy, y)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
#pragma acc loop vector
            for (int k = 1; k < n - 1; k++) {
                double ux = (AT(u, 1, 0, 0) - AT(u, 0, 0, 0)) * by, vy = (AT(v, 0, 1, 0) - AT(v, 0, 0, 0)) * by;
                double wz = (AT(w, 0, 0, 0) - AT(w, 0, 0, -1)) * by;
                double uy = 0.25 * (AT(u, 0, 1, 0) + AT(u, 1, 1, 0) - AT(u, 0, -1, 0) - AT(u, 1, -1, 0)) * by;
                double uz = 0.25 * (AT(u, 0, 0, 1) + AT(u, 1, 0, 1) - AT(u, 0, 0, -1) - AT(u, 1, 0, -1)) * by;
                double vx = 0.25 * (AT(v, 1, 0, 0) + AT(v, 1, 1, 0) - AT(v, -1, 0, 0) - AT(v, -1, 1, 0)) * by;
                double vz = 0.25 * (AT(v, 0, 0, 1) + AT(v, 0, 1, 1) - AT(v, 0, 0, -1) - AT(v, 0, 1, -1)) * by;
                double wx = 0.25 * (AT(w, 1, 0, 0) + AT(w, 1, 0, -1) - AT(w, -1, 0, 0) - AT(w, -1, 0, -1)) * by;
                double wy = 0.25 * (AT(w, 0, 1, 0) + AT(w, 0, 1, -1) - AT(w, 0, -1, 0) - AT(w, 0, -1, -1)) * by;
                double made = 2 * (ux * ux + vy * vy + wz * wz) + uy * uy + vx * vx + wx * wx + wy * wy + uz * uz + vz * vz +
                              2 * (uy * vx + uz * wx + vz * wy);
                if (made < 0)
                    made = 0;
                double e = AT(energy, 0, 0, 0), root = sqrt(e + 1e-20);
                y[(i * n + j) * n + k] = e + 0.1 * (0.1 * root * made - 0.7 * e * root);
            }
}

static void rock(int n, int layers, float by, const float *restrict sxx, const float *restrict syy,
                 const float *restrict szz, const float *restrict sxy, const float *restrict sxz, const float *restrict syz,
                 const float *restrict density, float *restrict vx, float *restrict vy, float *restrict vz)
{
    const int row = n, layer = n * n;
    const float one = 1.125f, two = -0.041666667f;
#pragma acc parallel loop collapse(3) present(sxx, syy, szz, sxy, sxz, syz, density, vx, vy, vz)
    for (int k = 2; k < layers - 2; k++)
        for (int j = 2; j < n - 2; j++)
            for (int i = 2; i < n - 2; i++) {
                int at = k * layer + j * row + i;
                float weight = by / (density[at] + 1);
                vx[at] = weight * (one * (sxx[at + 1] - sxx[at]) + two * (sxx[at + 2] - sxx[at - 1]) +
                                   one * (sxy[at] - sxy[at - row]) + two * (sxy[at + row] - sxy[at - 2 * row]) +
                                   one * (sxz[at] - sxz[at - layer]) + two * (sxz[at + layer] - sxz[at - 2 * layer]));
                vy[at] = weight * (one * (sxy[at] - sxy[at - 1]) + two * (sxy[at + 1] - sxy[at - 2]) +
                                   one * (syy[at + row] - syy[at]) + two * (syy[at + 2 * row] - syy[at - row]) +
                                   one * (syz[at] - syz[at - layer]) + two * (syz[at + layer] - syz[at - 2 * layer]));
                vz[at] = weight * (one * (sxz[at] - sxz[at - 1]) + two * (sxz[at + 1] - sxz[at - 2]) +
                                   one * (syz[at] - syz[at - row]) + two * (syz[at + row] - syz[at - 2 * row]) +
                                   one * (szz[at + layer] - szz[at]) + two * (szz[at + 2 * layer] - szz[at - layer]));
            }
}

static void ghosts(int n, const float (*restrict u)[EARTH][EARTH], float *restrict buffer)
{
#pragma acc data present(u, buffer)
    {
#pragma acc parallel loop collapse(2)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) {
                buffer[k * n + j] = u[k][j][1];
                buffer[n * n + k * n + j] = u[k][j][n - 2];
            }
#pragma acc parallel loop collapse(2)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++) {
                buffer[2 * n * n + k * n + i] = u[k][1][i];
                buffer[3 * n * n + k * n + i] = u[k][n - 2][i];
            }
#pragma acc parallel loop collapse(2)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                buffer[4 * n * n + j * n + i] = u[1][j][i];
                buffer[5 * n * n + j * n + i] = u[n - 2][j][i];
            }
    }
}

static void listed_gas(int n, float omega, const int *restrict links, const float *restrict from, float *restrict to)
{
#pragma acc parallel loop present(links, from, to)
    for (int i = 0; i < n; i++) {
        float f[LINKS], density = 0, u = 0, v = 0, w = 0;
        for (int q = 0; q < LINKS; q++) {
            f[q] = from[q * n + links[q * n + i]];
            density += f[q];
            u += along_x(q) * f[q];
            v += along_y(q) * f[q];
            w += along_z(q) * f[q];
        }
        float by = 1 / (density + 0.1f);
        u *= by;
        v *= by;
        w *= by;
        for (int q = 0; q < LINKS; q++) {
            float part = q == 0 ? 1.0f / 3 : q < 7 ? 1.0f / 18 : 1.0f / 36;
            float along = along_x(q) * u + along_y(q) * v + along_z(q) * w;
            float rest = part * density * (1 + 3 * along + 4.5f * along * along - 1.5f * (u * u + v * v + w * w));
            to[q * n + i] = f[q] + omega * (rest - f[q]);
        }
    }
}

static void jacobians(int n, const double (*restrict u)[FIVE], double (*restrict jacobian)[FIVE][FIVE])
{
#pragma acc parallel loop present(u, jacobian)
    for (int i = 0; i < n; i++) {
        double by = 1 / (u[i][0] + 0.5), square = by * by, qs = 0.5 * square * (u[i][1] * u[i][1] + u[i][2] * u[i][2] + u[i][3] * u[i][3]);
        double p = u[i][1] * by;
        jacobian[i][0][0] = 0;
        jacobian[i][0][1] = 1;
        jacobian[i][0][2] = 0;
        jacobian[i][0][3] = 0;
        jacobian[i][0][4] = 0;
        jacobian[i][1][0] = -p * p + 0.4 * qs;
        jacobian[i][1][1] = 1.6 * p;
        jacobian[i][1][2] = -0.4 * u[i][2] * by;
        jacobian[i][1][3] = -0.4 * u[i][3] * by;
        jacobian[i][1][4] = 0.4;
        jacobian[i][2][0] = -u[i][1] * u[i][2] * square;
        jacobian[i][2][1] = u[i][2] * by;
        jacobian[i][2][2] = p;
        jacobian[i][2][3] = 0;
        jacobian[i][2][4] = 0;
        jacobian[i][3][0] = -u[i][1] * u[i][3] * square;
        jacobian[i][3][1] = u[i][3] * by;
        jacobian[i][3][2] = 0;
        jacobian[i][3][3] = p;
        jacobian[i][3][4] = 0;
        jacobian[i][4][0] = (0.8 * qs - 1.4 * u[i][4] * by) * p;
        jacobian[i][4][1] = 1.4 * u[i][4] * by - 0.4 * (qs + p * p);
        jacobian[i][4][2] = -0.4 * u[i][2] * u[i][1] * square;
        jacobian[i][4][3] = -0.4 * u[i][3] * u[i][1] * square;
        jacobian[i][4][4] = 1.4 * p;
    }
}

static void shortest_ways(int columns, int rows, const int *restrict wall, int *restrict one, int *restrict two)
{
#pragma acc data present(wall, one, two)
    {
#pragma acc parallel loop
        for (int i = 0; i < columns; i++)
            one[i] = wall[i] & 1023;
        for (int t = 1; t < rows; t++) {
            const int *from = t % 2 ? one : two;
            int *to = t % 2 ? two : one;
#pragma acc parallel loop present(from, to)
            for (int i = 0; i < columns; i++) {
                int least = from[i];
                if (i > 0 && from[i - 1] < least)
                    least = from[i - 1];
                if (i < columns - 1 && from[i + 1] < least)
                    least = from[i + 1];
                to[i] = least + (wall[t * columns + i] & 1023);
            }
        }
    }
}

static void leucocytes(int n, const int *restrict dx, const int *restrict dy, const float *restrict directions,
                       const float *restrict gx, const float *restrict gy, float *restrict y)
{
#pragma acc parallel loop gang present(dx, dy, directions, gx, gy, y)
    for (int i = 20; i < n - 20; i++) {
#pragma acc loop vector
        for (int j = 20; j < n - 20; j++) {
            float most = 0;
            for (int r = 0; r < CIRCLES; r++) {
                float sum = 0, squares = 0;
                for (int k = 0; k < OF_CIRCLE; k++) {
                    int at = (i + dy[r * OF_CIRCLE + k]) * n + j + dx[r * OF_CIRCLE + k];
                    float along = (gx[at] - 0.4f) * directions[k] + (gy[at] - 0.4f) * directions[OF_CIRCLE + k];
                    sum += along;
                    squares += along * along;
                }
                float mean = sum / OF_CIRCLE, variance = squares / OF_CIRCLE - mean * mean + 1e-3f;
                if (mean * mean / variance > most)
                    most = mean * mean / variance;
            }
            y[i * n + j] = most;
        }
    }
}

static void gained(int points, int candidate, const float (*restrict x)[TRAITS], const float *restrict weight,
                   const float *restrict cost, const int *restrict centre, uint8_t *restrict moved, float *restrict lower,
                   float *restrict gain)
{
    float total = 0;
#pragma acc parallel loop reduction(+:total) present(x, weight, cost, centre, moved, lower)
    for (int i = 0; i < points; i++) {
        float square = 0;
        for (int d = 0; d < TRAITS; d++)
            square += (x[i][d] - x[candidate][d]) * (x[i][d] - x[candidate][d]);
        float change = square * weight[i] - 5 * cost[i];
        if (change < 0) {
            moved[i] = 1;
            total += change;
        } else {
#pragma acc atomic
            lower[centre[i] % CENTRES] += change;
            moved[i] = 0;
        }
    }
#pragma acc serial present(gain)
    gain[0] = total;
}

static void rank_2k(int n, int m, float alpha, float beta, const float (*restrict a)[DEEP], const float (*restrict b)[DEEP],
                    float (*restrict y)[UPDATED])
{
#pragma acc parallel loop present(a, b, y)
    for (int i = 0; i < n; i++) {
#pragma acc loop
        for (int j = 0; j <= i; j++) {
            float sum = beta * (i - j);
#pragma acc loop seq
            for (int k = 0; k < m; k++)
                sum += a[j][k] * alpha * b[i][k] + b[j][k] * alpha * a[i][k];
            y[i][j] = sum;
        }
    }
}

static void along_and_back(int n, float k, const float *restrict x, float *restrict one, float *restrict y)
{
#pragma acc data present(x, one, y)
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++) {
            float last = 0, before = 0;
            for (int j = 0; j < n; j++) {
                float now = k * x[i * n + j] + 0.5f * last + 0.2f * before;
                one[i * n + j] = now;
                before = last;
                last = now;
            }
        }
#pragma acc parallel loop
        for (int i = 0; i < n; i++) {
            float last = 0, before = 0;
            for (int j = n - 1; j >= 0; j--) {
                float now = k * one[i * n + j] + 0.5f * last + 0.2f * before;
                y[i * n + j] = now;
                before = last;
                last = now;
            }
        }
    }
}

static void both_products(int n, int m, const float *restrict a, const float *restrict p, const float *restrict r,
                          float *restrict q, float *restrict s)
{
#pragma acc data present(a, p, r, q, s)
    {
#pragma acc parallel loop gang
        for (int i = 0; i < n; i++) {
            float sum = 0;
#pragma acc loop vector reduction(+:sum)
            for (int j = 0; j < m; j++)
                sum += a[i * m + j] * p[j];
            q[i] = sum;
        }
#pragma acc parallel loop
        for (int j = 0; j < m; j++) {
            float sum = 0;
#pragma acc loop reduction(+:sum)
            for (int i = 0; i < n; i++)
                sum += a[i * m + j] * r[i];
            s[j] = sum;
        }
    }
}

static void ways_through(int n, int through, const float *restrict from, float *restrict way)
{
#pragma acc data present(from, way)
    {
#pragma acc parallel loop
        for (int i = 0; i < n * n; i++)
            way[i] = from[i];
        for (int k = 0; k < through; k++) {
#pragma acc parallel loop collapse(2)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    if (way[i * n + k] + way[k * n + j] < way[i * n + j])
                        way[i * n + j] = way[i * n + k] + way[k * n + j];
        }
    }
}

static void monotonic(int n, const int *beside, const int *edges, const double *xi, const double *eta, const double *zeta,
                      const double *volume, double *quadratic, double *linear)
{
#pragma acc parallel loop present(beside, edges, xi, eta, zeta, volume, quadratic, linear)
    for (int i = 0; i < n; i++) {
        int edge = edges[i];
        double before, after;
        switch (edge & 3) {
        case 0: before = xi[beside[i]]; break;
        case 1: before = xi[i]; break;
        default: before = 0;
        }
        after = edge & 4 ? xi[i] : xi[beside[n + i]];
        double phi_xi = limited_slope(before, xi[i], after);
        switch (edge >> 3 & 3) {
        case 0: before = eta[beside[2 * n + i]]; break;
        case 1: before = eta[i]; break;
        default: before = 0;
        }
        after = edge & 32 ? 0 : eta[beside[3 * n + i]];
        double phi_eta = limited_slope(before, eta[i], after);
        double phi_zeta = limited_slope(zeta[beside[4 * n + i]], zeta[i], zeta[beside[5 * n + i]]);
        if (volume[i] > 0.9) {
            quadratic[i] = 0;
            linear[i] = 0;
        } else {
            double dx = fmin(xi[i] - 0.5, 0), dy = fmin(eta[i] - 0.5, 0), dz = fmin(zeta[i] - 0.5, 0), mass = 1 / (volume[i] + 0.1);
            linear[i] = -0.5 * mass * (dx * (1 - phi_xi) + dy * (1 - phi_eta) + dz * (1 - phi_zeta));
            quadratic[i] = 0.66 * mass *
                           (dx * dx * (1 - phi_xi * phi_xi) + dy * dy * (1 - phi_eta * phi_eta) + dz * dz * (1 - phi_zeta * phi_zeta));
        }
    }
}

static void gas_energy(int n, const double *restrict energy, const double *restrict pressure, const double *restrict viscous,
                       const double *restrict compression, double *restrict next_energy, double *restrict next_pressure,
                       double *restrict next_viscous)
{
#pragma acc parallel loop present(energy, pressure, viscous, compression, next_energy, next_pressure, next_viscous)
    for (int i = 0; i < n; i++) {
        double volume = 0.5 + compression[i], half = 1 / (0.5 * volume + 0.5) - 1, by = 0.1 - 0.2 * compression[i];
        double e = energy[i] - 0.5 * by * (pressure[i] + viscous[i]), q = 0, old = pressure[i] + viscous[i];
        if (e < -1e15)
            e = -1e15;
        double p = pressure_of(e, half, volume);
        if (by <= 0) {
            double sound = (2.0 / 3 * e + volume * volume * 2 * p) / 0.8;
            sound = sound <= 1e-30 ? 1e-15 : sqrt(sound);
            q = sound * viscous[i] + 0.3 * viscous[i];
        }
        e += 0.5 * by * (3 * old - 4 * (p + q));
        if (fabs(e) < 1e-7)
            e = 0;
        if (e < -1e15)
            e = -1e15;
        p = pressure_of(e, compression[i], volume);
        double last = 0;
        if (by <= 0) {
            double sound = (2.0 / 3 * e + volume * volume * 2 * p) / 0.8;
            sound = sound <= 1e-30 ? 1e-15 : sqrt(sound);
            last = sound * viscous[i] + 0.3 * viscous[i];
        }
        e -= (7 * old - 8 * (p + q) + p + last) * by / 6;
        next_energy[i] = e;
        next_pressure[i] = pressure_of(e, compression[i], volume);
        next_viscous[i] = fabs(last) < 1e-7 ? 0 : last;
    }
}

static void clover_viscosity(int n, const double (*restrict u)[CLOVER + 2], const double (*restrict v)[CLOVER + 2],
                             const double (*restrict density)[CLOVER + 2], const double (*restrict pressure)[CLOVER + 2],
                             double (*restrict y)[CLOVER + 2])
{
#pragma acc kernels present(u, v, density, pressure, y)
#pragma acc loop independent
    for (int j = 1; j <= n; j++)
#pragma acc loop independent
        for (int i = 1; i <= n; i++) {
            double ugrad = (u[j][i + 1] + u[j + 1][i + 1]) - (u[j][i] + u[j + 1][i]);
            double vgrad = (v[j + 1][i] + v[j + 1][i + 1]) - (v[j][i] + v[j][i + 1]);
            double div = ugrad + vgrad;
            double strain = 0.5 * (u[j + 1][i] + u[j + 1][i + 1] - u[j][i] - u[j][i + 1]) +
                            0.5 * (v[j][i + 1] + v[j + 1][i + 1] - v[j][i] - v[j + 1][i]);
            double px = (pressure[j][i + 1] - pressure[j][i - 1]) * 0.5, py = (pressure[j + 1][i] - pressure[j - 1][i]) * 0.5;
            double px2 = px * px, py2 = py * py;
            double limiter = (0.5 * ugrad * px2 + 0.5 * vgrad * py2 + strain * px * py) / fmax(px2 + py2, 1e-16);
            if (limiter > 0 || div >= 0)
                y[j][i] = 0;
            else {
                px = px < 0 ? -fmax(1e-16, fabs(px)) : fmax(1e-16, fabs(px));
                py = py < 0 ? -fmax(1e-16, fabs(py)) : fmax(1e-16, fabs(py));
                double grad = sqrt(px * px + py * py), xg = fabs(grad / px), yg = fabs(grad / py);
                double g = fmin(xg, yg);
                y[j][i] = 2 * density[j][i] * g * g * limiter * limiter;
            }
        }
}

static void jacobi_error(int n, double rx, double ry, const double *restrict kx, const double *restrict ky,
                         const double *restrict u0, const double *restrict u, double *restrict y, double *restrict left)
{
    const int row = n + 2;
    double error = 0;
#pragma acc parallel loop collapse(2) reduction(+:error) present(kx, ky, u0, u, y)
    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++) {
            int at = j * row + i;
            y[at] = (u0[at] + rx * (kx[at + 1] * u[at + 1] + kx[at] * u[at - 1]) +
                     ry * (ky[at + row] * u[at + row] + ky[at] * u[at - row])) /
                    (1 + rx * (kx[at] + kx[at + 1]) + ry * (ky[at] + ky[at + row]));
            error += fabs(y[at] - u[at]);
        }
#pragma acc serial present(left)
    left[0] = error;
}

static void blended(int n, const struct pixel *restrict over, const struct pixel *restrict under, struct pixel *restrict y)
{
#pragma acc parallel loop present(over, under, y)
    for (int i = 0; i < n; i++) {
        struct pixel p = over[i], q = under[i], r;
        r.r = mixed_bytes(p.r, q.r, p.a);
        r.g = mixed_bytes(p.g, q.g, p.a);
        r.b = mixed_bytes(p.b, q.b, p.a);
        r.a = mixed_bytes(255, q.a, p.a);
        y[i] = r;
    }
}

static void morton(size_t n, const float *restrict x, const float *restrict y, const float *restrict z,
                   unsigned long long *restrict code)
{
#pragma acc parallel loop present(x, y, z, code)
    for (size_t i = 0; i < n; i++) {
        unsigned long long p = x[i] * 2097151.0f, q = y[i] * 2097151.0f, r = z[i] * 2097151.0f;
        code[i] = spread(p) | spread(q) << 1 | spread(r) << 2;
    }
}

static void bit_reversed(int batch, int n, int bits, const struct number *restrict x, struct number *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, y)
    for (int b = 0; b < batch; b++)
        for (int i = 0; i < n; i++)
            y[b * n + reversed(i, bits)] = x[b * n + i];
}

static void transposed_sum(int n, const float (*restrict a)[SQUARE], const float (*restrict b)[SQUARE],
                           float (*restrict y)[SQUARE])
{
#pragma acc parallel loop tile(32, 8) present(a, b, y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i][j] = a[i][j] + 0.5f * b[j][i];
}

static void masked_softmax(int matrices, int n, float scale, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang num_workers(8) vector_length(32) present(x, y)
    for (int h = 0; h < matrices; h++) {
#pragma acc loop worker
        for (int i = 0; i < n; i++) {
            const float *from = x + ((size_t)h * n + i) * n;
            float *to = y + ((size_t)h * n + i) * n;
            float most = -INFINITY, sum = 0;
#pragma acc loop vector reduction(max:most)
            for (int j = 0; j <= i; j++)
                most = fmaxf(most, scale * from[j]);
#pragma acc loop vector reduction(+:sum)
            for (int j = 0; j <= i; j++)
                sum += expf(scale * from[j] - most);
#pragma acc loop vector
            for (int j = 0; j < n; j++)
                to[j] = j <= i ? expf(scale * from[j] - most) / sum : 0;
        }
    }
}

static void normal_deviates(int n, unsigned seed, float *restrict y)
{
#pragma acc parallel loop present(y)
    for (int i = 0; i < n; i++) {
        unsigned c[4] = {(unsigned)i, 0, 0, 0}, k0 = seed, k1 = 0x1234567;
        for (int round = 0; round < 10; round++) {
            unsigned long long p = (unsigned long long)c[0] * 0xd2511f53u, q = (unsigned long long)c[2] * 0xcd9e8d57u;
            unsigned high0 = (unsigned)(q >> 32) ^ c[1] ^ k0, high1 = (unsigned)(p >> 32) ^ c[3] ^ k1;
            c[1] = (unsigned)q;
            c[3] = (unsigned)p;
            c[0] = high0;
            c[2] = high1;
            k0 += 0x9e3779b9u;
            k1 += 0xbb67ae85u;
        }
        for (int pair = 0; pair < 2; pair++) {
            float u = (c[2 * pair] >> 8) * 0x1p-24f + 0x1p-25f, v = (c[2 * pair + 1] >> 8) * 0x1p-24f;
            float r = sqrtf(-2 * logf(u));
            y[4 * i + 2 * pair] = r * cosf(6.2831853f * v);
            y[4 * i + 2 * pair + 1] = r * sinf(6.2831853f * v);
        }
    }
}

static void newton(int n, double edge, uint8_t *restrict y)
{
#pragma acc parallel loop collapse(2) present(y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double x = edge * (2.0 * j / n - 1) + 1e-3, v = edge * (2.0 * i / n - 1) + 1e-3;
            int steps = 0;
            double fx, fy;
            do {
                double xx = x * x - v * v, xy = 2 * x * v;
                fx = xx * x - xy * v - 1;
                fy = xx * v + xy * x;
                double by = 1 / (3 * (xx * xx + xy * xy) + 1e-30);
                x -= (fx * xx + fy * xy) * by;
                v -= (fy * xx - fx * xy) * by;
                steps++;
            } while (fx * fx + fy * fy > 1e-12 && steps < 60);
            y[i * n + j] = steps;
        }
}

static void common_divisors(int n, const int *restrict x, const int *restrict y, int *restrict z)
{
#pragma acc parallel loop present(x, y, z)
    for (int i = 0; i < n; i++) {
        unsigned p = x[i] + 1, q = y[i] + 1;
        while (q != 0) {
            unsigned rest = p % q;
            p = q;
            q = rest;
        }
        z[i] = p;
    }
}

static void embedded(int tokens, int wide, const int *restrict ids, const float (*restrict words)[WIDE],
                     const float (*restrict places)[WIDE], float (*restrict y)[WIDE])
{
#pragma acc kernels loop independent collapse(2) present(ids, words, places, y)
    for (int t = 0; t < tokens; t++)
        for (int d = 0; d < wide; d++)
            y[t][d] = 22.627417f * words[ids[t] % 32768][d] + places[t % PLACES][d];
}

static void entered(int rays, int boxes, const struct ray *restrict ray, const struct bounds *restrict box,
                    float *restrict nearest)
{
#pragma acc parallel loop present(ray, box, nearest)
    for (int i = 0; i < rays; i++) {
        float least = 1e30f;
        for (int k = 0; k < boxes; k++) {
            float t = enters(ray[i], box[k]);
            if (t >= 0 && t < least)
                least = t;
        }
        nearest[i] = least < 1e30f ? least : -1;
    }
}

static void turned(int n, const struct turn *restrict turns, const struct vector *restrict x, struct vector *restrict y)
{
#pragma acc parallel loop present(turns, x, y)
    for (int i = 0; i < n; i++)
        y[i] = turned_by(turns[i], x[i]);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    float *a = malloc(sizeof(float) * N), *b = malloc(sizeof(float) * N), *c = malloc(sizeof(float) * N);
    int *at = malloc(sizeof(int) * N), *column = malloc(sizeof(int) * N), *ints = (int *)c;
    double *wide = malloc(sizeof(double) * (N / 2)), *wide_out = (double *)c;
    int *rows = malloc(sizeof(int) * (ROWS + 1)), *parent = malloc(sizeof(int) * ROWS);
    struct cell *tree = malloc(sizeof(struct cell) * CELLS);
    int order[64], first[FILTERS + 2], dx[CIRCLES * OF_CIRCLE], dy[CIRCLES * OF_CIRCLE];
    float directions[2 * OF_CIRCLE];
    unsigned checks[256];
    int *links = malloc(sizeof(int) * LINKS * ROWS), *neighbours = malloc(sizeof(int) * NEIGHBOURS * PARTICLES);
    int *beside = malloc(sizeof(int) * 6 * ELEMENTS), *edges = malloc(sizeof(int) * ELEMENTS);
    struct ray *rays = malloc(sizeof(struct ray) * RAYS);
    struct bounds *boxes = malloc(sizeof(struct bounds) * BOXES);
    fill_numbers(a, b, at, column, wide);
    fill_rows(at, rows);
    fill_parents(at, parent);
    fill_cells(tree, 0, 0, 0.5f, 0.5f, 0.5f, 1);
    fill_order(order);
    fill_filters(first);
    fill_checks(checks);
    fill_links(links);
    fill_circles(dx, dy, directions);
    fill_neighbours(at, neighbours);
    fill_elements(at, beside, edges);
    fill_rays(a, rays, boxes);
    uint8_t *bytes = (uint8_t *)at, *other_bytes = (uint8_t *)column, *bytes_out = (uint8_t *)c;
    const int square = SQUARE * SQUARE, cube = TURBULENT * TURBULENT * TURBULENT, earth = EARTH * EARTH * EARTH / 2,
              plane = (CLOVER + 2) * (CLOVER + 2);
#pragma acc data copyin(a[0:N], b[0:N], at[0:N], column[0:N], wide[0:N / 2], rows[0:ROWS + 1], parent[0:ROWS], \
                        tree[0:CELLS], order, first, dx, dy, directions, checks, links[0:LINKS * ROWS], \
                        neighbours[0:NEIGHBOURS * PARTICLES], beside[0:6 * ELEMENTS], edges[0:ELEMENTS], rays[0:RAYS], \
                        boxes[0:BOXES]) copyout(c[0:N])
    {
        CHECKED("remapped", double, LAYERS * COLUMNS, remapped(COLUMNS, wide, wide + LAYERS * COLUMNS, wide_out));
        CHECKED("clouds", double, LAYERS * COLUMNS, clouds(COLUMNS, wide, wide_out));
        CHECKED("depths", float, SOUNDINGS * LAYERS * PARTS, depths(a, b, a + SOUNDINGS * LAYERS, b + SOUNDINGS * LAYERS, c));
        CHECKED("tree_walk", float, 3 * BODIES, tree_walk(BODIES, CELLS, 0.5f, tree, a, b, a + BODIES, c));
        CHECKED("overlapping", double, SHELLS * SHELLS,
                overlapping(SHELLS, wide, wide + 4 * SHELLS, wide + 8 * SHELLS, wide_out));
        CHECKED("nuclear", float, ORBITALS * ORBITALS,
                nuclear(ORBITALS, ATOMS, (const float (*)[4])a, (const float (*)[4])b, (float (*)[ORBITALS])c));
        CHECKED("coded", int, BLOCKS, coded(BLOCKS, order, (short *)at, ints));
        CHECKED("lifted", int16_t, square, lifted(SQUARE, (const int16_t (*)[SQUARE])at, (int16_t (*)[SQUARE])c));
        CHECKED("deblocked", unsigned char, square, deblocked(SQUARE, 40, 120, bytes, bytes_out));
        CHECKED("hadamard", int, square / 16, hadamard(SQUARE, bytes, other_bytes, ints));
        CHECKED("goertzel", float, FRAMES * TONES, goertzel(FRAMES, a, b, c));
        CHECKED("resampled", float, N / 2, resampled(N / 2, a, b, c));
        CHECKED("autocorrelated", float, FRAMES * LAGS, autocorrelated(FRAMES, a, c));
        CHECKED("filter_bank", float, SPECTRA * FILTERS, filter_bank(SPECTRA, first, a, b, c));
        CHECKED("page_rank", float, ROWS + 1, page_rank(ROWS, rows, column, at, a, c, c + ROWS));
        CHECKED("coloured", unsigned char, ROWS, coloured(ROWS, rows, column, bytes, bytes_out));
        CHECKED("hooked", int, ROWS, hooked(ROWS, parent, ints));
        CHECKED("common_prefixes", unsigned char, ROWS, common_prefixes(ROWS, at, other_bytes, bytes_out));
        CHECKED("checked_records", unsigned, RECORDS, checked_records(RECORDS, checks, bytes, (unsigned *)c));
        CHECKED("parsed", int, FIELDS, parsed(FIELDS, bytes, ints));
        CHECKED("sensitivities", double, 3 * OPTIONS,
                sensitivities(OPTIONS, wide, wide + 2 * OPTIONS, wide_out, wide_out + OPTIONS, wide_out + 2 * OPTIONS));
        CHECKED("at_risk", float, SCENARIOS, at_risk(SCENARIOS, POSITIONS, a, column, b, b + POSITIONS, c));
        typedef const float images[CHANNELS][EDGE][EDGE];
        typedef const float weights[CHANNELS][3][3];
        CHECKED("convolved", float, IMAGES * CHANNELS * EDGE * EDGE,
                convolved((images *)a, (weights *)b, (float (*)[CHANNELS][EDGE][EDGE])c));
        CHECKED("weight_gradient", float, CHANNELS * CHANNELS * 9,
                weight_gradient((images *)a, (images *)b, (float (*)[CHANNELS][3][3])c));
        CHECKED("rotary", float, TOKENS * HEADS * 2 * HALF, rotary(TOKENS, a, b, b + PLACES * HALF, c));
        CHECKED("dropped", float, square, dropped(SQUARE, SQUARE, 12345, a, b, c));
        CHECKED("unpooled", float, POOLS * (2 * POOLED + 1) * (2 * POOLED + 1), unpooled(POOLS, a, b, c));
        CHECKED("clipped", float, N, clipped(N, 100, a, c));
        CHECKED("byte_product", float, WORDS * WORDS,
                byte_product(WORDS, 1e-3f, (const int8_t (*)[WORDS])at, (const int8_t (*)[WORDS])column, (float (*)[WORDS])c));
        CHECKED("lennard_jones", double, 3 * PARTICLES,
                lennard_jones(PARTICLES, (const struct place *)wide, neighbours, (double (*)[3])c));
        CHECKED("turbulence", double, cube,
                turbulence(TURBULENT, 10, wide, wide + TURBULENT, wide + cube, wide + 2 * cube, wide_out));
        CHECKED("rock", float, 3 * earth,
                rock(EARTH, EARTH / 2, 0.1f, a, a + earth, a + 2 * earth, a + 3 * earth, b, b + earth, b + 2 * earth, c,
                     c + earth, c + 2 * earth));
        CHECKED("ghosts", float, 6 * EARTH * EARTH, ghosts(EARTH, (const float (*)[EARTH][EARTH])a, c));
        CHECKED("listed_gas", float, LINKS * ROWS, listed_gas(ROWS, 0.7f, links, a, c));
        CHECKED("jacobians", double, 25 * (ROWS / 4),
                jacobians(ROWS / 4, (const double (*)[FIVE])wide, (double (*)[FIVE][FIVE])c));
        CHECKED("shortest_ways", int, 2 * ROWS, shortest_ways(ROWS, STEPS, at, ints, ints + ROWS));
        CHECKED("leucocytes", float, LEUCOCYTES * LEUCOCYTES, leucocytes(LEUCOCYTES, dx, dy, directions, a, b, c));
        CHECKED("gained", float, CENTRES,
                gained(POINTS, 17, (const float (*)[TRAITS])a, b, b + POINTS, at, bytes_out + 8 * CENTRES, c, c + CENTRES));
        CHECKED("rank_2k", float, UPDATED * UPDATED,
                rank_2k(UPDATED, DEEP, 0.7f, 0.01f, (const float (*)[DEEP])a, (const float (*)[DEEP])b, (float (*)[UPDATED])c));
        CHECKED("along_and_back", float, square / 4, along_and_back(SQUARE / 2, 0.3f, a, c + square, c));
        CHECKED("both_products", float, TALL + SQUARE / 2, both_products(TALL, SQUARE / 2, a, b, b + SQUARE, c, c + TALL));
        CHECKED("ways_through", float, CITIES * CITIES, ways_through(CITIES, THROUGH, a, c));
        CHECKED("monotonic", double, 2 * ELEMENTS,
                monotonic(ELEMENTS, beside, edges, wide, wide + ELEMENTS, wide + 2 * ELEMENTS, wide + 3 * ELEMENTS, wide_out,
                          wide_out + ELEMENTS));
        CHECKED("gas_energy", double, 3 * GAS,
                gas_energy(GAS, wide, wide + GAS, wide + 2 * GAS, wide + 3 * GAS, wide_out, wide_out + GAS, wide_out + 2 * GAS));
        typedef const double clover[CLOVER + 2];
        CHECKED("clover_viscosity", double, plane,
                clover_viscosity(CLOVER, (clover *)wide, (clover *)(wide + 1000), (clover *)(wide + plane),
                                 (clover *)(wide + 2 * plane), (double (*)[CLOVER + 2])c));
        CHECKED("jacobi_error", double, plane + 1,
                jacobi_error(CLOVER, 0.2, 0.3, wide, wide + 1000, wide + plane, wide + 2 * plane, wide_out, wide_out + plane));
        CHECKED("blended", unsigned char, 4 * PIXELS,
                blended(PIXELS, (struct pixel *)at, (struct pixel *)column, (struct pixel *)c));
        CHECKED("morton", unsigned long long, CODES, morton(CODES, a, b, a + CODES, (unsigned long long *)c));
        CHECKED("bit_reversed", float, 2 * BATCH * SPECTRUM,
                bit_reversed(BATCH, SPECTRUM, 20, (struct number *)a, (struct number *)c));
        CHECKED("transposed_sum", float, square,
                transposed_sum(SQUARE, (const float (*)[SQUARE])a, (const float (*)[SQUARE])b, (float (*)[SQUARE])c));
        CHECKED("masked_softmax", float, MATRICES * MATRIX * MATRIX, masked_softmax(MATRICES, MATRIX, 3, a, c));
        CHECKED("normal_deviates", float, 4 * QUADS, normal_deviates(QUADS, 99, c));
        CHECKED("newton", unsigned char, PLANE * PLANE, newton(PLANE, 1.5, bytes_out));
        CHECKED("common_divisors", int, PAIRS, common_divisors(PAIRS, at, column, ints));
        CHECKED("embedded", float, TOKENS * WIDE,
                embedded(TOKENS, WIDE, at, (const float (*)[WIDE])a, (const float (*)[WIDE])b, (float (*)[WIDE])c));
        CHECKED("entered", float, RAYS, entered(RAYS, BOXES, rays, boxes, c));
        CHECKED("turned", float, 3 * TURNED, turned(TURNED, (struct turn *)a, (struct vector *)b, (struct vector *)c));
    }
    return 0;
}
