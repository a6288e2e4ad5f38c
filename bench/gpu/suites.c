// More loops as they are in suites of benchmarks (of heterogeneous machines, of fluids and particles, proxies of
// applications, networks, codecs), in the directive styles that these have. Nobody has looked at them while accrue
// was made faster. Names and sizes are those of suites.cu. Prints a checksum for each.
//
//     suites [ROUNDS]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "suites.h"
#include "checked.h"

static void chip(int layers, int n, const float *restrict power, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang collapse(2) present(power, x, y)
    for (int k = 0; k < layers; k++)
        for (int i = 0; i < n; i++)
#pragma acc loop vector
            for (int j = 0; j < n; j++) {
                int at = (k * n + i) * n + j, layer = n * n;
                int west = j == 0 ? at : at - 1, east = j == n - 1 ? at : at + 1;
                int north = i == 0 ? at : at - n, south = i == n - 1 ? at : at + n;
                int below = k == 0 ? at : at - layer, above = k == layers - 1 ? at : at + layer;
                y[at] = 0.4f * x[at] + 0.12f * (x[west] + x[east]) + 0.1f * (x[north] + x[south]) + 0.07f * (x[below] + x[above]) +
                        0.03f * power[at] + 0.001f * 80;
            }
}

static void trailing(int n, const float *restrict a, float *restrict c)
{
#pragma acc parallel loop gang worker num_workers(4) vector_length(64) present(a, c)
    for (int i = PANEL; i < n; i++)
#pragma acc loop vector
        for (int j = PANEL; j < n; j++) {
            float sum = 0;
#pragma acc loop seq
            for (int k = 0; k < PANEL; k++)
                sum += a[i * n + k] * a[k * n + j];
            c[i * n + j] = a[i * n + j] - sum;
        }
}

static void eliminated(int n, int k, const float *restrict a, float *restrict c)
{
#pragma acc kernels present(a, c)
    for (int i = k + 1; i < n; i++) {
        float factor = a[i * n + k] / (a[k * n + k] + 2);
        for (int j = k; j < n; j++)
            c[i * n + j] = a[i * n + j] - factor * a[k * n + j];
    }
}

static void alignments(int pairs, const unsigned char *restrict p, const unsigned char *restrict q, int *restrict y)
{
#pragma acc parallel loop gang vector_length(128) present(p, q, y)
    for (int m = 0; m < pairs; m++) {
        int score[3][LETTERS + 1];
        score[0][0] = 0;
#pragma acc loop seq
        for (int d = 1; d <= 2 * LETTERS; d++) {
            int first = d > LETTERS ? d - LETTERS : 0, end = d < LETTERS ? d : LETTERS;
#pragma acc loop vector
            for (int i = first; i <= end; i++) {
                int j = d - i, best = -2 * d;
                if (i > 0 && j > 0) {
                    int same = (p[m * LETTERS + i - 1] & 3) == (q[m * LETTERS + j - 1] & 3);
                    int left = score[(d + 2) % 3][i] - 2, above = score[(d + 2) % 3][i - 1] - 2;
                    best = score[(d + 1) % 3][i - 1] + (same ? 5 : -3);
                    best = left > best ? left : best;
                    best = above > best ? above : best;
                }
                score[d % 3][i] = best;
            }
        }
        y[m] = score[2 * LETTERS % 3][LETTERS];
    }
}

static void memberships(int n, const float *restrict x, const float *restrict centres, int *restrict y)
{
#pragma acc parallel loop gang vector present(x, centres, y)
    for (int i = 0; i < n; i++) {
        int best = -1;
        float least = 1e30f;
#pragma acc loop seq
        for (int k = 0; k < CLUSTERS; k++) {
            float sum = 0;
#pragma acc loop seq
            for (int f = 0; f < FEATURES; f++) {
                float by = x[i * FEATURES + f] - centres[k * FEATURES + f];
                sum += by * by;
            }
            if (sum < least) {
                least = sum;
                best = k;
            }
        }
        y[i] = best;
    }
}

static void adjusted(int inputs, int hidden, const float *restrict delta, const float *restrict input, float *restrict weight,
                     float *restrict before)
{
#pragma acc kernels loop independent present(delta, input, weight, before)
    for (int k = 0; k < inputs; k++)
#pragma acc loop independent
        for (int j = 0; j < hidden; j++) {
            float change = 0.3f * delta[j] * input[k] + 0.3f * before[k * hidden + j];
            weight[k * hidden + j] += change;
            before[k * hidden + j] = change;
        }
}

static void boxes(int n, const struct particle *restrict p, const double *restrict charge, struct particle *restrict force)
{
#pragma acc parallel loop gang vector_length(128) present(p, charge, force)
    for (int home = 0; home < n * n * n; home++) {
        int z = home / (n * n), y = home / n % n, x = home % n;
#pragma acc loop vector
        for (int i = home * IN_BOX; i < (home + 1) * IN_BOX; i++) {
            struct particle here = p[i], sum = {0, 0, 0, 0};
            for (int k = 0; k < 27; k++) {
                int oz = z + k / 9 - 1, oy = y + k / 3 % 3 - 1, ox = x + k % 3 - 1;
                if (oz < 0 || oz >= n || oy < 0 || oy >= n || ox < 0 || ox >= n)
                    continue;
                int first = ((oz * n + oy) * n + ox) * IN_BOX;
                for (int j = first; j < first + IN_BOX; j++) {
                    double square = here.v + p[j].v - (here.x * p[j].x + here.y * p[j].y + here.z * p[j].z);
                    double v = exp(-0.5 * square), by = 2 * v * charge[j];
                    sum.v += charge[j] * v;
                    sum.x += by * (here.x - p[j].x);
                    sum.y += by * (here.y - p[j].y);
                    sum.z += by * (here.z - p[j].z);
                }
            }
            force[i] = sum;
        }
    }
}

static void fluxes(int n, const int *restrict neighbours, const float *restrict normals, const float *restrict values,
                   float *restrict y)
{
#pragma acc parallel loop present(neighbours, normals, values, y)
    for (int i = 0; i < n; i++) {
        float own[5], flux[5] = {0}, far[5] = {1, 0.5f, 0.1f, 0.2f, 2.5f};
        load_state(values, i, own);
        float speed = speed_of(own), pressure = 0.4f * (own[4] - 0.5f * (own[1] * own[1] + own[2] * own[2] + own[3] * own[3]) / own[0]);
        for (int face = 0; face < FACES; face++) {
            int other = neighbours[face * n + i];
            float normal[3], area = 0;
            for (int d = 0; d < 3; d++) {
                normal[d] = normals[(face * 3 + d) * n + i] - 0.4f;
                area += normal[d] * normal[d];
            }
            if (other >= 0) {
                float state[5];
                load_state(values, other, state);
                float by = 0.25f * sqrtf(area) * (speed + speed_of(state));
                for (int k = 0; k < 5; k++)
                    flux[k] += by * (own[k] - state[k]);
                add_flux(own, normal, 0.5f, flux);
                add_flux(state, normal, 0.5f, flux);
            } else if (other == -1) {
                for (int d = 0; d < 3; d++)
                    flux[d + 1] += pressure * normal[d];
            } else {
                add_flux(own, normal, 0.5f, flux);
                add_flux(far, normal, 0.5f, flux);
            }
        }
        for (int k = 0; k < 5; k++)
            y[k * n + i] = flux[k];
    }
}

static void likelihoods(int n, int pixels, const int *restrict disc, const unsigned char *restrict picture, const double *restrict x,
                        const double *restrict y, double *restrict weight)
{
#pragma acc parallel loop gang vector vector_length(128) present(disc, picture, x, y, weight)
    for (int i = 0; i < n; i++) {
        int row = (int)(y[i] * (VIDEO - 1)), column = (int)(x[i] * (VIDEO - 1));
        double sum = 0;
#pragma acc loop seq
        for (int k = 0; k < pixels; k++) {
            int at = (row + disc[2 * k]) * VIDEO + column + disc[2 * k + 1];
            if (at < 0 || at >= VIDEO * VIDEO)
                at = 0;
            double dark = picture[at] - 100.0, light = picture[at] - 228.0;
            sum += (dark * dark - light * light) / 50;
        }
        weight[i] = exp(sum / pixels / 200);
    }
}

static void neurons(int n, const float *restrict x, float *restrict voltage, float *restrict gates)
{
#pragma acc parallel loop gang vector present(x, voltage, gates)
    for (int i = 0; i < n; i++) {
        float v = 40 * x[i] - 10, m = 0.05f, h = 0.6f, k = 0.3f;
        for (int t = 0; t < MOMENTS; t++) {
            float am = x_by_expm1((25 - v) / 10), bm = 4 * expf(-v / 18);
            float ah = 0.07f * expf(-v / 20), bh = 1 / (expf((30 - v) / 10) + 1);
            float ak = 0.1f * x_by_expm1((10 - v) / 10), bk = 0.125f * expf(-v / 80);
            float current = 120 * m * m * m * h * (v - 115) + 36 * k * k * k * k * (v + 12) + 0.3f * (v - 10.6f);
            v += 0.01f * (10 - current);
            m += 0.01f * (am * (1 - m) - bm * m);
            h += 0.01f * (ah * (1 - h) - bh * h);
            k += 0.01f * (ak * (1 - k) - bk * k);
        }
        voltage[i] = v;
        gates[i] = m;
        gates[n + i] = h;
        gates[2 * n + i] = k;
    }
}

static void right_sides(int n, const double (*restrict u)[GRID][GRID][5], const double (*restrict forcing)[GRID][GRID][5],
                        double (*restrict rhs)[GRID][GRID][5])
{
#pragma acc parallel loop gang present(u[0:n], forcing[0:n], rhs[0:n])
    for (int k = 1; k < n - 1; k++)
#pragma acc loop worker
        for (int j = 1; j < n - 1; j++)
#pragma acc loop vector
            for (int i = 2; i < n - 2; i++) {
                double left = 1 / (u[k][j][i - 1][0] + 0.5), here = 1 / (u[k][j][i][0] + 0.5), right = 1 / (u[k][j][i + 1][0] + 0.5);
                double ul = u[k][j][i - 1][1] * left, uh = u[k][j][i][1] * here, ur = u[k][j][i + 1][1] * right;
                double vl = u[k][j][i - 1][2] * left, vh = u[k][j][i][2] * here, vr = u[k][j][i + 1][2] * right;
                double wl = u[k][j][i - 1][3] * left, wh = u[k][j][i][3] * here, wr = u[k][j][i + 1][3] * right;
                double pl = 0.4 * (u[k][j][i - 1][4] + 2 - 0.5 * (ul * u[k][j][i - 1][1] + vl * u[k][j][i - 1][2] +
                                                                  wl * u[k][j][i - 1][3]));
                double pr = 0.4 * (u[k][j][i + 1][4] + 2 - 0.5 * (ur * u[k][j][i + 1][1] + vr * u[k][j][i + 1][2] +
                                                                  wr * u[k][j][i + 1][3]));
                double r[5];
                for (int m = 0; m < 5; m++)
                    r[m] = forcing[k][j][i][m] + 0.75 * (u[k][j][i + 1][m] - 2 * u[k][j][i][m] + u[k][j][i - 1][m]);
                r[0] -= 0.2 * (u[k][j][i + 1][1] - u[k][j][i - 1][1]);
                r[1] += 0.1 * (ur - 2 * uh + ul) - 0.2 * (u[k][j][i + 1][1] * ur - u[k][j][i - 1][1] * ul + pr - pl);
                r[2] += 0.1 * (vr - 2 * vh + vl) - 0.2 * (u[k][j][i + 1][2] * ur - u[k][j][i - 1][2] * ul);
                r[3] += 0.1 * (wr - 2 * wh + wl) - 0.2 * (u[k][j][i + 1][3] * ur - u[k][j][i - 1][3] * ul);
                r[4] += 0.1 * (ur * ur - 2 * uh * uh + ul * ul) - 0.2 * ((u[k][j][i + 1][4] + pr) * ur - (u[k][j][i - 1][4] + pl) * ul);
                for (int m = 0; m < 5; m++)
                    rhs[k][j][i][m] = r[m] - 0.05 * (u[k][j][i - 2][m] - 4 * u[k][j][i - 1][m] + 6 * u[k][j][i][m] -
                                                     4 * u[k][j][i + 1][m] + u[k][j][i + 2][m]);
            }
}

static void eliminated_blocks(int n, const double (*restrict lhs)[5][5], const double (*restrict next)[5][5],
                              const double (*restrict rhs)[5], double (*restrict c)[5][5], double (*restrict r)[5])
{
#pragma acc parallel loop gang vector vector_length(64) present(lhs[0:n], next[0:n], rhs[0:n], c[0:n], r[0:n])
    for (int b = 0; b < n; b++) {
        double t[5][5], s[5][5], z[5];
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) {
                t[i][j] = lhs[b][i][j] + (i == j) * 4;
                s[i][j] = next[b][i][j];
            }
            z[i] = rhs[b][i];
        }
        for (int p = 0; p < 5; p++) {
            double by = 1 / t[p][p];
            for (int j = p + 1; j < 5; j++)
                t[p][j] *= by;
            for (int j = 0; j < 5; j++)
                s[p][j] *= by;
            z[p] *= by;
            for (int i = 0; i < 5; i++)
                if (i != p) {
                    double factor = t[i][p];
                    for (int j = p + 1; j < 5; j++)
                        t[i][j] -= factor * t[p][j];
                    for (int j = 0; j < 5; j++)
                        s[i][j] -= factor * s[p][j];
                    z[i] -= factor * z[p];
                }
        }
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++)
                c[b][i][j] = s[i][j];
            r[b][i] = z[i];
        }
    }
}

static void pentadiagonal(int n, const double (*restrict rho)[GRID][GRID], const double (*restrict rhs)[GRID][GRID],
                          double (*restrict d)[GRID][GRID], double (*restrict e)[GRID][GRID], double (*restrict x)[GRID][GRID])
{
#pragma acc parallel loop gang present(rho[0:n], rhs[0:n], d[0:n], e[0:n], x[0:n])
    for (int k = 0; k < n; k++)
#pragma acc loop vector
        for (int i = 0; i < n; i++) {
            double d1 = 0, e1 = 0, x1 = 0, d2 = 0, e2 = 0, x2 = 0;
#pragma acc loop seq
            for (int j = 0; j < n; j++) {
                double first = 0.05, below = -0.2 * rho[k][j][i] - first * d2, middle = 1 + 0.5 * rho[k][j][i] - first * e2 - below * d1;
                double above = j < n - 1 ? -0.2 * rho[k][j][i] : 0, last = j < n - 2 ? 0.05 : 0, by = 1 / middle;
                double dj = (above - below * e1) * by, ej = last * by, xj = (rhs[k][j][i] - first * x2 - below * x1) * by;
                d2 = d1;
                e2 = e1;
                x2 = x1;
                d[k][j][i] = d1 = dj;
                e[k][j][i] = e1 = ej;
                x[k][j][i] = x1 = xj;
            }
#pragma acc loop seq
            for (int j = n - 2; j >= 0; j--) {
                double xj = x[k][j][i] - d[k][j][i] * x1;
                if (j < n - 2)
                    xj -= e[k][j][i] * x2;
                x2 = x1;
                x[k][j][i] = x1 = xj;
            }
        }
}

static void conjugate(int n, double alpha, const double *restrict p, const double *restrict q, double *restrict x, double *restrict r,
                      double *restrict square)
{
    double rho = 0;
#pragma acc parallel loop reduction(+:rho) present(p, q, x, r)
    for (int i = 0; i < n; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * q[i];
        rho += r[i] * r[i];
    }
    *square = rho;
#pragma acc update device(square[0:1])
}

static void restricted(int n, const double (*restrict fine)[FINE][FINE], double (*restrict coarse)[FINE / 2][FINE / 2])
{
#pragma acc kernels present(fine[0:FINE], coarse[0:FINE / 2])
    {
#pragma acc loop independent gang
        for (int i = 1; i < n; i++)
#pragma acc loop independent worker
            for (int j = 1; j < n; j++)
#pragma acc loop independent vector
                for (int k = 1; k < n; k++) {
                    int p = 2 * i, q = 2 * j, s = 2 * k;
                    double faces = fine[p - 1][q][s] + fine[p + 1][q][s] + fine[p][q - 1][s] + fine[p][q + 1][s] + fine[p][q][s - 1] +
                                   fine[p][q][s + 1];
                    double edges = 0, corners = 0;
                    for (int d = -1; d <= 1; d += 2) {
                        edges += fine[p + d][q - 1][s] + fine[p + d][q + 1][s] + fine[p + d][q][s - 1] + fine[p + d][q][s + 1] +
                                 fine[p][q + d][s - 1] + fine[p][q + d][s + 1];
                        corners += fine[p + d][q - 1][s - 1] + fine[p + d][q - 1][s + 1] + fine[p + d][q + 1][s - 1] +
                                   fine[p + d][q + 1][s + 1];
                    }
                    coarse[i][j][k] = 0.5 * fine[p][q][s] + 0.25 * faces + 0.125 * edges + 0.0625 * corners;
                }
    }
}

static void prolonged(int n, const double (*restrict coarse)[FINE / 2][FINE / 2], double (*restrict fine)[FINE][FINE])
{
#pragma acc parallel loop collapse(3) present(coarse[0:FINE / 2], fine[0:FINE])
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1; j++)
            for (int k = 0; k < n - 1; k++) {
                double a = coarse[i][j][k], b = coarse[i][j][k + 1], c = coarse[i][j + 1][k], d = coarse[i][j + 1][k + 1];
                double e = coarse[i + 1][j][k], f = coarse[i + 1][j][k + 1], g = coarse[i + 1][j + 1][k], h = coarse[i + 1][j + 1][k + 1];
                fine[2 * i][2 * j][2 * k] += a;
                fine[2 * i][2 * j][2 * k + 1] += 0.5 * (a + b);
                fine[2 * i][2 * j + 1][2 * k] += 0.5 * (a + c);
                fine[2 * i][2 * j + 1][2 * k + 1] += 0.25 * (a + b + c + d);
                fine[2 * i + 1][2 * j][2 * k] += 0.5 * (a + e);
                fine[2 * i + 1][2 * j][2 * k + 1] += 0.25 * (a + b + e + f);
                fine[2 * i + 1][2 * j + 1][2 * k] += 0.25 * (a + c + e + g);
                fine[2 * i + 1][2 * j + 1][2 * k + 1] += 0.125 * (a + b + c + d + e + f + g + h);
            }
}

static void evolved(int n, double t, const struct complex *restrict u, struct complex *restrict y)
{
#pragma acc parallel loop collapse(3) present(u, y)
    for (int k = 0; k < n / 2; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                int kk = (k + n / 4) % (n / 2) - n / 4, jj = (j + n / 2) % n - n / 2, ii = (i + n / 2) % n - n / 2;
                double factor = exp(-t * (kk * kk + jj * jj + ii * ii));
                int at = (k * n + j) * n + i;
                y[at].re = u[at].re * factor;
                y[at].im = u[at].im * factor;
            }
}

static void deviates(int n, double ahead, double *restrict y)
{
    double sx = 0, sy = 0;
#pragma acc parallel loop reduction(+:sx, sy) present(y)
    for (int i = 0; i < n; i++) {
        double state = 271828183, factor = ahead, count[10];
        for (int k = 0; k < 10; k++)
            count[k] = 0;
        for (int k = i; k > 0; k /= 2) {
            if (k % 2 == 1)
                draw(&state, factor);
            draw(&factor, factor);
        }
        for (int k = 0; k < DEVIATES; k++) {
            double u = 2 * draw(&state, 1220703125) - 1, v = 2 * draw(&state, 1220703125) - 1, square = u * u + v * v;
            if (square <= 1) {
                double by = sqrt(-2 * log(square) / square), x = fabs(u * by), z = fabs(v * by);
                int ring = (int)(x > z ? x : z);
                count[ring]++;
                sx += u * by;
                sy += v * by;
            }
        }
        for (int k = 0; k < 10; k++) {
#pragma acc atomic update
            y[97 * k] += count[k];
        }
    }
    y[970] = sx;
    y[1067] = sy;
#pragma acc update device(y[970:1], y[1067:1])
}

static void image_of_samples(int n, const float *restrict x, const float *restrict y, const float *restrict z,
                             const struct frequency *restrict k, float *restrict re, float *restrict im)
{
#pragma acc parallel loop gang vector vector_length(256) present(x, y, z, k, re, im)
    for (int i = 0; i < n; i++) {
        float r = 0, s = 0, xi = x[i], yi = y[i], zi = z[i];
#pragma acc loop seq
        for (int j = 0; j < SAMPLES; j++) {
            float angle = 1.5f * (k[j].x * xi + k[j].y * yi + k[j].z * zi);
            r += k[j].magnitude * cosf(angle);
            s += k[j].magnitude * sinf(angle);
        }
        re[i] = r;
        im[i] = s;
    }
}

static void pulled(int n, const int *restrict kind, const float *restrict f, float *restrict y)
{
    long cells = n * n * (n / 2);
#pragma acc parallel loop gang worker vector collapse(3) present(kind, f, y)
    for (int k = 0; k < n / 2; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                int at = (k * n + j) * n + i;
                float here[DIRECTIONS];
                for (int q = 0; q < DIRECTIONS; q++) {
                    int from = ((k - ez[q] + n / 2) % (n / 2) * n + (j - ey[q] + n) % n) * n + (i - ex[q] + n) % n;
                    here[q] = f[q * cells + from];
                }
                if ((kind[at] >> 10 & 31) == 0) {
                    for (int q = 0; q < DIRECTIONS; q++)
                        y[opposite[q] * cells + at] = here[q];
                } else {
                    collide(here);
                    for (int q = 0; q < DIRECTIONS; q++)
                        y[q * cells + at] = here[q];
                }
            }
}

static void pushed(int n, const float *restrict f, float *restrict y)
{
#pragma acc parallel loop independent gang vector collapse(3) present(f, y)
    for (int k = 1; k < n / 2 - 1; k++)
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++) {
                int at = (k * n + j) * n + i;
                float here[DIRECTIONS];
                for (int q = 0; q < DIRECTIONS; q++)
                    here[q] = f[at * OF_CELL + q];
                if (f[at * OF_CELL + DIRECTIONS] > 0.05f)
                    collide(here);
                for (int q = 0; q < DIRECTIONS; q++)
                    y[(at + (ez[q] * n + ey[q]) * n + ex[q]) * OF_CELL + q] = here[q];
            }
}

static void tendencies(int n, const int *restrict flag, const double *restrict s, const double *restrict u, const double *restrict v,
                       double *restrict y)
{
#pragma acc kernels present(flag, s, u, v, y)
    for (int i = 3; i < n - 3; i++)
        for (int j = 3; j < n - 3; j++)
            for (int k = 0; k < LEVELS; k++) {
                int at = (i * n + j) * LEVELS + k;
                double right = carried(s, u, flag, at, n * LEVELS), left = carried(s, u, flag, at - n * LEVELS, n * LEVELS);
                double north = carried(s, v, flag, at, LEVELS), south = carried(s, v, flag, at - LEVELS, LEVELS);
                y[at] = s[at] - 0.1 * (right - left) - 0.2 * (north - south);
            }
}

static void hourglass(int n, const int *restrict nodes, const double *restrict x, const double *restrict v,
                      const double (*restrict derivative)[3][8], const double *restrict volume, double (*restrict force)[3][8])
{
#pragma acc parallel loop present(nodes, x, v, derivative[0:n], volume, force[0:n])
    for (int e = 0; e < n; e++) {
        double gamma[8][4], at[3][8], moves[3][8], by = 1 / (volume[e] + 0.5), coefficient = -0.03 * volume[e] / cbrt(volume[e] + 0.5);
        for (int c = 0; c < 8; c++)
            for (int d = 0; d < 3; d++) {
                at[d][c] = x[nodes[8 * e + c] * 3 + d];
                moves[d][c] = v[nodes[8 * e + c] * 3 + d];
            }
        for (int m = 0; m < 4; m++) {
            double mode[3] = {0};
            for (int c = 0; c < 8; c++)
                for (int d = 0; d < 3; d++)
                    mode[d] += at[d][c] * hourglass_mode[m][c];
            for (int c = 0; c < 8; c++)
                gamma[c][m] = hourglass_mode[m][c] - by * (derivative[e][0][c] * mode[0] + derivative[e][1][c] * mode[1] +
                                                           derivative[e][2][c] * mode[2]);
        }
        for (int d = 0; d < 3; d++) {
            double h[4];
            for (int m = 0; m < 4; m++) {
                h[m] = 0;
                for (int c = 0; c < 8; c++)
                    h[m] += gamma[c][m] * moves[d][c];
            }
            for (int c = 0; c < 8; c++)
                force[e][d][c] = coefficient * (gamma[c][0] * h[0] + gamma[c][1] * h[1] + gamma[c][2] * h[2] + gamma[c][3] * h[3]);
        }
    }
}

static void of_corners(int n, const int *restrict start, const int *restrict corners, const double *restrict fx,
                       const double *restrict fy, const double *restrict fz, double *restrict y)
{
#pragma acc parallel loop vector_length(128) present(start, corners, fx, fy, fz, y)
    for (int p = 0; p < n; p++) {
        double x = 0, v = 0, z = 0;
#pragma acc loop seq
        for (int k = start[p]; k < start[p + 1]; k++) {
            int c = corners[k];
            x += fx[c];
            v += fy[c];
            z += fz[c];
        }
        y[3 * p] = x;
        y[3 * p + 1] = v;
        y[3 * p + 2] = z;
    }
}

static void energies(int n, const double *restrict x, double *restrict energy, double *restrict pressure, double *restrict viscosity)
{
#pragma acc parallel loop present(x, energy, pressure, viscosity)
    for (int i = 0; i < n; i++) {
        double old_e = x[i] - 0.2, change = 0.8 * x[n + i] - 0.4, old_p = 0.5 * x[2 * n + i], old_q = 0.1 * x[3 * n + i];
        double volume = x[4 * n + i] + 0.5, ql = 0.2 * x[5 * n + i], qq = 0.3 * x[6 * n + i], q;
        double compression = 1 / volume - 1, half = volume - 0.5 * change, at_half = 1 / half - 1;
        double e = old_e - 0.5 * change * (old_p + old_q);
        if (e < -1e3)
            e = -1e3;
        double p_half = pressure_of(e, at_half, volume);
        if (change > 0)
            q = 0;
        else
            q = sound_of(e, p_half, at_half, 1 / (1 + at_half)) * ql + qq;
        e += 0.5 * change * (3 * (old_p + old_q) - 4 * (p_half + q));
        if (fabs(e) < 1e-7)
            e = 0;
        if (e < -1e3)
            e = -1e3;
        double p = pressure_of(e, compression, volume), q_new = 0;
        if (change <= 0)
            q_new = sound_of(e, p, compression, volume) * ql + qq;
        e -= (7 * (old_p + old_q) - 8 * (p_half + q) + p + q_new) * change / 6;
        if (fabs(e) < 1e-7)
            e = 0;
        p = pressure_of(e, compression, volume);
        if (change <= 0) {
            q_new = sound_of(e, p, compression, volume) * ql + qq;
            if (fabs(q_new) < 1e-7)
                q_new = 0;
        }
        energy[i] = e;
        pressure[i] = p;
        viscosity[i] = q_new;
    }
}

static void work_done(int n, double dt, const double *restrict x_area, const double *restrict y_area, const double *restrict volume,
                      const double *restrict density, const double *restrict energy, const double *restrict pressure,
                      const double *restrict viscosity, const double *restrict x_speed, const double *restrict y_speed,
                      double *restrict new_density, double *restrict new_energy)
{
#pragma acc kernels present(x_area, y_area, volume, density, energy, pressure, viscosity, x_speed, y_speed, new_density, new_energy)
    {
#pragma acc loop independent collapse(2)
        for (int k = 0; k < n - 1; k++)
            for (int j = 0; j < n - 1; j++) {
                int at = k * n + j;
                double left = x_area[at] * 0.25 * dt * 0.5 * 2 * (x_speed[at] + x_speed[at + n]);
                double right = x_area[at + 1] * 0.25 * dt * 0.5 * 2 * (x_speed[at + 1] + x_speed[at + n + 1]);
                double bottom = y_area[at] * 0.25 * dt * 0.5 * 2 * (y_speed[at] + y_speed[at + 1]);
                double top = y_area[at + n] * 0.25 * dt * 0.5 * 2 * (y_speed[at + n] + y_speed[at + n + 1]);
                double total = right - left + top - bottom, own = volume[at] + 1;
                double change = own / (own + total), by = 1 / own, mass = 1 / (density[at] + 0.1);
                double work = (pressure[at] * mass + viscosity[at] * mass) * total * by;
                new_energy[at] = energy[at] - work;
                new_density[at] = (density[at] + 0.1) * change;
            }
    }
}

static void limited(int n, const double *restrict flux, const double *restrict volume, const double *restrict density,
                    const double *restrict energy, const double *restrict width, double *restrict mass_flux,
                    double *restrict energy_flux)
{
#pragma acc parallel loop gang present(flux, volume, density, energy, width, mass_flux, energy_flux)
    for (int k = 0; k < n; k++)
#pragma acc loop vector
        for (int j = 2; j < n - 1; j++) {
            int upwind, donor, downwind, of_width, at = k * n + j;
            double through = 0.5 * (flux[at] - 0.3);
            if (through > 0) {
                upwind = j - 2;
                donor = j - 1;
                downwind = j;
                of_width = donor;
            } else {
                upwind = j + 1 < n ? j + 1 : n - 1;
                donor = j;
                downwind = j - 1;
                of_width = upwind;
            }
            double sigma = fabs(through) / (volume[k * n + donor] + 1), third = (1 + sigma) * ((width[j] + 1) / (width[of_width] + 1));
            double up = density[k * n + donor] - density[k * n + upwind], down = density[k * n + downwind] - density[k * n + donor];
            double slope = 0;
            if (up * down > 0) {
                double sign = down > 0 ? 1 : -1, least = fmin(fabs(up), fabs(down));
                slope = (1 - sigma) * sign * fmin(least, ((2 - sigma) * fabs(down) + third * fabs(up)) / 6);
            }
            mass_flux[at] = through * (density[k * n + donor] + slope);
            double share_of_mass = fabs(mass_flux[at]) / ((density[k * n + donor] + 0.5) * (volume[k * n + donor] + 1));
            up = energy[k * n + donor] - energy[k * n + upwind];
            down = energy[k * n + downwind] - energy[k * n + donor];
            slope = 0;
            if (up * down > 0) {
                double sign = down > 0 ? 1 : -1, least = fmin(fabs(up), fabs(down));
                slope = (1 - share_of_mass) * sign * fmin(least, ((2 - sigma) * fabs(down) + third * fabs(up)) / 6);
            }
            energy_flux[at] = mass_flux[at] * (energy[k * n + donor] + slope);
        }
}

static void conducted(int n, const double *restrict p, const double *restrict kx, const double *restrict ky, double *restrict w,
                      double *restrict product)
{
    double sum = 0;
#pragma acc parallel loop collapse(2) reduction(+:sum) present(p, kx, ky, w)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int at = i * n + j;
            w[at] = (1 + (ky[at + n] + ky[at]) + (kx[at + 1] + kx[at])) * p[at] - (ky[at + n] * p[at + n] + ky[at] * p[at - n]) -
                    (kx[at + 1] * p[at + 1] + kx[at] * p[at - 1]);
            sum += w[at] * p[at];
        }
    *product = sum;
#pragma acc update device(product[0:1])
}

static void cross_sections(int n, const double *restrict random, const struct point_of_nuclide *restrict points, double *restrict y)
{
#pragma acc parallel loop present(random, points, y)
    for (int i = 0; i < n; i++) {
        double energy = random[i], sum[5] = {0, 0, 0, 0, 0};
        int material = (int)(random[n + i] * 12), count = 4 + material;
        for (int m = 0; m < count; m++) {
            int nuclide = (material * 5 + m * 7) % NUCLIDES, low = nuclide * ENERGIES, high = low + ENERGIES - 1;
            while (high - low > 1) {
                int middle = (low + high) / 2;
                if (points[middle].energy > energy)
                    high = middle;
                else
                    low = middle;
            }
            const struct point_of_nuclide *p = points + low, *q = p + 1;
            double f = (q->energy - energy) / (q->energy - p->energy), concentration = 0.1 * (1 + m);
            sum[0] += concentration * (q->total - f * (q->total - p->total));
            sum[1] += concentration * (q->elastic - f * (q->elastic - p->elastic));
            sum[2] += concentration * (q->absorbed - f * (q->absorbed - p->absorbed));
            sum[3] += concentration * (q->fission - f * (q->fission - p->fission));
            sum[4] += concentration * (q->nu - f * (q->nu - p->nu));
        }
        for (int k = 0; k < 5; k++)
            y[5 * i + k] = sum[k];
    }
}

static void resonances(int n, const double *restrict random, const struct pole *restrict poles, double *restrict y)
{
#pragma acc parallel loop gang vector vector_length(128) present(random, poles, y)
    for (int i = 0; i < n; i++) {
        double energy = random[i] + 0.01, root = sqrt(energy), total = 0, absorbed = 0;
        int nuclide = (int)(random[n + i] * NUCLIDES), window = (int)(random[i] * WINDOWS);
        struct complex factor[4];
        for (int l = 0; l < 4; l++) {
            double phi = 0.7 * (1 + 0.01 * nuclide) * root;
            if (l == 1)
                phi -= atan(phi);
            else if (l == 2)
                phi -= atan(3 * phi / (3 - phi * phi));
            else if (l == 3)
                phi -= atan(phi * (15 - phi * phi) / (15 - 6 * phi * phi));
            factor[l].re = cos(2 * phi);
            factor[l].im = -sin(2 * phi);
        }
        for (int k = 0; k < POLES; k++) {
            int at = (nuclide * WINDOWS + window) * POLES + k;
            struct pole p = poles[at];
            struct complex z = {8 * (root - p.at.re), 2 * p.at.im + 0.1}, w = widened(z);
            total += times(times(p.total, factor[at / 3 % 4]), w).re;
            absorbed += times(p.absorbed, w).re;
        }
        y[2 * i] = total + 5;
        y[2 * i + 1] = absorbed;
    }
}

static void swept(int groups, const double *restrict source, const double *restrict cosines, double *restrict from_j,
                  double *restrict from_k, double *restrict flux)
{
#pragma acc parallel loop gang vector_length(128) present(source, cosines, from_j, from_k, flux)
    for (int g = 0; g < groups; g++) {
        double from_i[ANGLES], sigma = 1 + 0.01 * g;
        double *of_j = from_j + g * SWEPT * ANGLES, *of_k = from_k + g * SWEPT * SWEPT * ANGLES;
#pragma acc loop vector
        for (int a = 0; a < SWEPT * SWEPT * ANGLES; a++)
            of_k[a] = 0.5;
#pragma acc loop seq
        for (int k = 0; k < SWEPT; k++) {
#pragma acc loop vector
            for (int a = 0; a < SWEPT * ANGLES; a++)
                of_j[a] = 0.4;
#pragma acc loop seq
            for (int j = 0; j < SWEPT; j++) {
#pragma acc loop vector
                for (int a = 0; a < ANGLES; a++)
                    from_i[a] = 0.3;
#pragma acc loop seq
                for (int i = 0; i < SWEPT; i++) {
                    int cell = (k * SWEPT + j) * SWEPT + i;
                    double sum = 0, of_source = source[cell * groups + g];
#pragma acc loop vector reduction(+:sum)
                    for (int a = 0; a < ANGLES; a++) {
                        double mu = cosines[a], eta = cosines[ANGLES + a], xi = cosines[2 * ANGLES + a];
                        double psij = of_j[i * ANGLES + a], psik = of_k[(j * SWEPT + i) * ANGLES + a];
                        double psi = (of_source + mu * from_i[a] + eta * psij + xi * psik) / (sigma + mu + eta + xi);
                        from_i[a] = fmax(2 * psi - from_i[a], 0);
                        of_j[i * ANGLES + a] = fmax(2 * psi - psij, 0);
                        of_k[(j * SWEPT + i) * ANGLES + a] = fmax(2 * psi - psik, 0);
                        sum += psi;
                    }
                    flux[cell * groups + g] = sum / ANGLES;
                }
            }
        }
    }
}

static void repulsion(int n, const struct charge *restrict pair, const double *restrict density, double *restrict y)
{
#pragma acc parallel loop gang present(pair, density, y)
    for (int i = 0; i < n; i++) {
        double sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < n; j++) {
            double p = pair[i].exponent + 0.2, q = pair[j].exponent + 0.2;
            double dx = 3 * (pair[i].x - pair[j].x), dy = 3 * (pair[i].y - pair[j].y), dz = 3 * (pair[i].z - pair[j].z);
            double t = p * q / (p + q) * (dx * dx + dy * dy + dz * dz);
            sum += density[j] * pair[i].factor * pair[j].factor * boys(t) * 34.98683665524972 / (p * q * sqrt(p + q));
        }
        y[i] = sum;
    }
}

static void self_energy(int bands, int vectors, int others, const struct complex *restrict wtilde, const struct complex *restrict eps,
                        const struct complex *restrict left, const struct complex *restrict right, double *restrict y)
{
    double re0 = 0, im0 = 0, re1 = 0, im1 = 0, re2 = 0, im2 = 0;
#pragma acc parallel loop gang collapse(2) present(wtilde, eps, left, right) reduction(+:re0, im0, re1, im1, re2, im2)
    for (int n = 0; n < bands; n++)
        for (int p = 0; p < vectors; p++) {
            struct complex of_left = {left[n * vectors + p].re, -left[n * vectors + p].im};
#pragma acc loop vector reduction(+:re0, im0, re1, im1, re2, im2)
            for (int g = 0; g < others; g++) {
                struct complex w = wtilde[p * others + g], product = times(of_left, right[n * others + g]), term[3];
                for (int k = 0; k < 3; k++) {
                    struct complex difference = {1.5 + 0.01 * n + 0.1 * k - w.re, -w.im};
                    term[k] = times(times(over(w, difference), eps[p * others + g]), product);
                }
                re0 += term[0].re;
                im0 += term[0].im;
                re1 += term[1].re;
                im1 += term[1].im;
                re2 += term[2].re;
                im2 += term[2].im;
            }
        }
    y[0] = re0;
    y[97] = im0;
    y[2 * 97] = re1;
    y[3 * 97] = im1;
    y[4 * 97] = re2;
    y[5 * 97] = im2;
#pragma acc update device(y[0:6 * 97])
}

static void stiffness(int n, const int *restrict nodes, const double (*restrict where)[3], const double *restrict conductivity,
                      double (*restrict y)[8][8])
{
#pragma acc parallel loop gang vector vector_length(64) present(nodes, where[0:CORNERS], conductivity, y[0:n])
    for (int e = 0; e < n; e++) {
        double sum[8][8], at[8][3], gradient[8][3];
        for (int c = 0; c < 8; c++) {
            for (int d = 0; d < 3; d++)
                at[c][d] = where[nodes[8 * e + c]][d];
            for (int k = 0; k < 8; k++)
                sum[c][k] = 0;
        }
        for (int q = 0; q < 8; q++) {
            double by = 0.577350269189626;
            double volume = gradients(at, by * corner[q][0], by * corner[q][1], by * corner[q][2], gradient) * (conductivity[e] + 1);
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++)
                    sum[i][j] += volume * (gradient[i][0] * gradient[j][0] + gradient[i][1] * gradient[j][1] +
                                           gradient[i][2] * gradient[j][2]);
        }
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++)
                y[e][i][j] = sum[i][j];
    }
}

static void depthwise(int images, int maps, int n, const float *restrict x, const float *restrict w, float *restrict y)
{
#pragma acc parallel loop collapse(4) present(x, w, y)
    for (int m = 0; m < images; m++)
        for (int k = 0; k < maps; k++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    float sum = 0;
                    for (int di = -1; di <= 1; di++)
                        for (int dj = -1; dj <= 1; dj++)
                            if (i + di >= 0 && i + di < n && j + dj >= 0 && j + dj < n)
                                sum += w[k * 9 + (di + 1) * 3 + dj + 1] * x[((m * maps + k) * n + i + di) * n + j + dj];
                    y[((m * maps + k) * n + i) * n + j] = fminf(fmaxf(sum, 0), 6);
                }
}

static void group_norm(int batch, const float *restrict x, const float *restrict scale, const float *restrict shift, float *restrict y)
{
#pragma acc parallel loop gang collapse(2) vector_length(256) present(x, scale, shift, y)
    for (int m = 0; m < batch; m++)
        for (int g = 0; g < GROUPED; g++) {
            int first = (m * GROUPED + g) * CHANNELS * SMALL;
            float sum = 0, squares = 0;
#pragma acc loop vector reduction(+:sum, squares)
            for (int k = 0; k < CHANNELS * SMALL; k++) {
                sum += x[first + k];
                squares += x[first + k] * x[first + k];
            }
            float mean = sum / (CHANNELS * SMALL), by = 1 / sqrtf(squares / (CHANNELS * SMALL) - mean * mean + 1e-5f);
#pragma acc loop vector
            for (int k = 0; k < CHANNELS * SMALL; k++) {
                int channel = g * CHANNELS + k / SMALL;
                y[first + k] = (x[first + k] - mean) * by * scale[channel] + shift[channel];
            }
        }
}

static void layer_norm_back(int n, int width, const float *restrict x, const float *restrict dy, const float *restrict scale,
                            const float *restrict mean, const float *restrict deviation, float *restrict dx)
{
#pragma acc parallel loop gang present(x, dy, scale, mean, deviation, dx)
    for (int i = 0; i < n; i++) {
        float sum = 0, product = 0, by = 1 / (deviation[i] + 0.5f);
#pragma acc loop vector reduction(+:sum) reduction(+:product)
        for (int j = 0; j < width; j++) {
            float g = dy[i * width + j] * scale[j];
            sum += g;
            product += g * (x[i * width + j] - mean[i]) * by;
        }
#pragma acc loop vector
        for (int j = 0; j < width; j++) {
            float hat = (x[i * width + j] - mean[i]) * by;
            dx[i * width + j] = by * (dy[i * width + j] * scale[j] - 0.5f * (sum + hat * product) / width);
        }
    }
}

static void embedding_gradient(int n, const int *restrict token, const float *restrict dy, float *restrict table)
{
#pragma acc parallel loop gang worker vector_length(128) present(token, dy, table)
    for (int i = 0; i < n; i++) {
        int row = token[i] % VOCABULARY;
#pragma acc loop vector
        for (int d = 0; d < EMBEDDED; d++) {
#pragma acc atomic
            table[row * EMBEDDED + d] += dy[i * EMBEDDED + d];
        }
    }
}

static void softmax_gradient(int n, int classes, const int *restrict label, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang vector_length(128) present(label, x, y)
    for (int i = 0; i < n; i++) {
        float most = -INFINITY, sum = 0;
#pragma acc loop vector reduction(max:most)
        for (int j = 0; j < classes; j++)
            most = fmaxf(most, 4 * x[i * classes + j]);
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < classes; j++)
            sum += expf(4 * x[i * classes + j] - most);
#pragma acc loop vector
        for (int j = 0; j < classes; j++)
            y[i * classes + j] = expf(4 * x[i * classes + j] - most) / sum - (j == label[i] % classes ? 0.5f : 0);
    }
}

static void chroma(int n, const unsigned char *restrict x, unsigned char *restrict luma, unsigned char *restrict u,
                   unsigned char *restrict v)
{
#pragma acc parallel loop collapse(2) present(x, luma, u, v)
    for (int i = 0; i < n / 2; i++)
        for (int j = 0; j < n / 2; j++) {
            int r = 0, g = 0, b = 0;
            for (int di = 0; di < 2; di++)
                for (int dj = 0; dj < 2; dj++) {
                    int at = (2 * i + di) * n + 2 * j + dj, red = x[3 * at], green = x[3 * at + 1], blue = x[3 * at + 2];
                    luma[at] = ((66 * red + 129 * green + 25 * blue + 128) >> 8) + 16;
                    r += red;
                    g += green;
                    b += blue;
                }
            u[i * (n / 2) + j] = ((-38 * r - 74 * g + 112 * b + 512) >> 10) + 128;
            v[i * (n / 2) + j] = ((112 * r - 94 * g - 18 * b + 512) >> 10) + 128;
        }
}

static void decoded(int n, const int *restrict quantum, const short *restrict x, unsigned char *restrict y)
{
#pragma acc parallel loop gang vector collapse(2) vector_length(64) present(quantum, x, y)
    for (int i = 0; i < n / 8; i++)
        for (int j = 0; j < n / 8; j++) {
            int v[64];
            for (int k = 0; k < 64; k++)
                v[zigzag[k]] = (x[(i * (n / 8) + j) * 64 + k] >> 9) * ((quantum[k] >> 20 & 7) + 1);
            for (int k = 0; k < 8; k++)
                turn_back(v + 8 * k, 1, 8);
            for (int k = 0; k < 8; k++)
                turn_back(v + k, 8, 15);
            for (int k = 0; k < 64; k++)
                y[(8 * i + k / 8) * n + 8 * j + k % 8] = byte_of(v[k] + 128);
        }
}

static void runs(int n, const unsigned char *restrict x, unsigned char *restrict codes, unsigned char *restrict counts)
{
#pragma acc parallel loop present(x, codes, counts)
    for (int i = 0; i < n; i++) {
        int count = 0, length = 1, last = x[i * RUNS_OF] >> 6;
        for (int k = 1; k < RUNS_OF; k++) {
            int next = x[i * RUNS_OF + k] >> 6;
            if (next == last && length < 63)
                length++;
            else {
                codes[i * RUNS_OF + count++] = last << 6 | length;
                last = next;
                length = 1;
            }
        }
        codes[i * RUNS_OF + count++] = last << 6 | length;
        counts[i] = count;
    }
}

static void joined(int n, const struct slot *restrict slots, const int *restrict keys, int *restrict y)
{
#pragma acc parallel loop independent present(slots, keys, y)
    for (int i = 0; i < n; i++) {
        int key = keys[i];
        unsigned s = slot_of(key);
        while (slots[s].key != key && slots[s].key != -1)
            s = (s + 1) % SLOTS;
        y[i] = slots[s].value;
    }
}

static void likeness(int n, const unsigned *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int both = 0, either = 0;
            for (int k = 0; k < OF_PRINT; k++) {
                unsigned p = x[i * OF_PRINT + k], q = x[j * OF_PRINT + k];
                both += __builtin_popcount(p & q);
                either += __builtin_popcount(p | q);
            }
            y[i * n + j] = (float)both / (either + 1);
        }
}

static void leaders(int n, int length, const int *restrict first, const float *restrict second, int *restrict y)
{
#pragma acc parallel loop gang present(first, second, y)
    for (int i = 0; i < n; i++) {
        unsigned long long most = 0;
#pragma acc loop vector reduction(max:most)
        for (int j = 0; j < length; j++) {
            unsigned long long high = first[i * length + j] >> 20, middle = (unsigned)(second[i * length + j] * 1024);
            unsigned long long key = high << 48 | middle << 32 | (unsigned)(length - j);
            most = key > most ? key : most;
        }
        y[i] = length - (int)(most & 0xffffffffu);
    }
}

static void variance(int n, const float *restrict x, double *restrict y)
{
    double sum = 0, squares = 0;
    float least = INFINITY, most = -INFINITY;
#pragma acc parallel loop reduction(+:sum, squares) reduction(min:least) reduction(max:most) present(x)
    for (int i = 0; i < n; i++) {
        float value = 2 * x[i] + 1;
        sum += value;
        squares += value * value;
        least = fminf(least, value);
        most = fmaxf(most, value);
    }
    y[0] = sum / n;
    y[97] = squares / n - sum / n * (sum / n);
    y[2 * 97] = least;
    y[3 * 97] = most;
#pragma acc update device(y[0:4 * 97])
}

static void complex_dot(int n, const float (*restrict p)[2], const float (*restrict q)[2], double *restrict y)
{
    double re = 0, im = 0;
#pragma acc parallel loop gang worker vector reduction(+:re) reduction(+:im) present(p[0:n], q[0:n])
    for (int i = 0; i < n; i++) {
        re += p[i][0] * q[i][0] + p[i][1] * q[i][1];
        im += p[i][1] * q[i][0] - p[i][0] * q[i][1];
    }
    y[0] = re;
    y[97] = im;
#pragma acc update device(y[0:98])
}

static void packed_triangle(int n, const float *restrict a, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang vector_length(128) present(a, x, y)
    for (int i = 0; i < n; i++) {
        int first = i * (i + 1) / 2;
        float sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j <= i; j++)
            sum += a[first + j] * x[j];
        y[i] = sum;
    }
}

static void band_products(int n, const float *restrict band, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(band, x, y)
    for (int i = 0; i < n; i++)
        for (int s = 0; s < SIDES; s++) {
            int first = i > REACH ? i - REACH : 0, last = i + REACH < n ? i + REACH : n - 1;
            float sum = 0;
#pragma acc loop seq
            for (int j = first; j <= last; j++)
                sum += band[i * (2 * REACH + 1) + j - i + REACH] * x[j * SIDES + s];
            y[i * SIDES + s] = sum;
        }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1, disc[2 * MOST_OF_DISC];
    float *a = malloc(sizeof(float) * N), *b = malloc(sizeof(float) * N), *c = malloc(sizeof(float) * N);
    int *at = malloc(sizeof(int) * N), *neighbours = malloc(sizeof(int) * FACES * ELEMENTS);
    double *wide = malloc(sizeof(double) * (N / 2)), *work = malloc(sizeof(double) * (2 * GRID * GRID * GRID)), *out = (double *)c;
    int *nodes = malloc(sizeof(int) * 8 * ALL_HEXES), *start = malloc(sizeof(int) * (CORNERS + 1));
    int *corners = malloc(sizeof(int) * 8 * ALL_HEXES);
    double(*where)[3] = malloc(sizeof(double) * 3 * CORNERS);
    struct point_of_nuclide *points = malloc(sizeof(struct point_of_nuclide) * NUCLIDES * ENERGIES);
    struct slot *slots = malloc(sizeof(struct slot) * SLOTS);
    fill_numbers(a, b, at, wide);
    fill_neighbours(at, neighbours);
    fill_mesh(a, nodes, where[0], start, corners);
    fill_nuclides(a, points);
    fill_slots(at, slots);
    int pixels = fill_disc(disc), cube = GRID * GRID * GRID, field = CLOVER * CLOVER, heat = CONDUCTOR * CONDUCTOR;
    unsigned char *bytes = (unsigned char *)at, *bytes_out = (unsigned char *)c;
    double ahead = factor_of_seeds();
#pragma acc data copyin(a[0:N], b[0:N], at[0:N], wide[0:N / 2], neighbours[0:FACES * ELEMENTS], nodes[0:8 * ALL_HEXES], \
                            start[0:CORNERS + 1], corners[0:8 * ALL_HEXES], where[0:CORNERS], points[0:NUCLIDES * ENERGIES], \
                            slots[0:SLOTS], disc) copyout(c[0:N]) create(work[0:2 * GRID * GRID * GRID])
    {
        CHECKED("chip", float, LAYERS *CHIP *CHIP, chip(LAYERS, CHIP, b, a, c));
        CHECKED("trailing", float, PLANE *PLANE, trailing(PLANE, a, c));
        CHECKED("eliminated", float, PLANE *PLANE, eliminated(PLANE, STEP, a, c));
        CHECKED("alignments", int, PAIRS, alignments(PAIRS, bytes, bytes + PAIRS * LETTERS, (int *)c));
        CHECKED("memberships", int, POINTS, memberships(POINTS, a, b, (int *)c));
        CHECKED("adjusted", float, 2 * INPUTS * HIDDEN, adjusted(INPUTS, HIDDEN, a, b, c, c + INPUTS * HIDDEN));
        CHECKED("boxes", double, 4 * BOXES *BOXES *BOXES *IN_BOX,
                boxes(BOXES, (struct particle *)wide, wide + 4 * BOXES * BOXES * BOXES * IN_BOX, (struct particle *)c));
        CHECKED("fluxes", float, 5 * ELEMENTS, fluxes(ELEMENTS, neighbours, b, a, c));
        CHECKED("likelihoods", double, PARTICLES, likelihoods(PARTICLES, pixels, disc, bytes, wide, wide + PARTICLES, out));
        CHECKED("neurons", float, 4 * NEURONS, neurons(NEURONS, a, c, c + NEURONS));
        CHECKED("right_sides", double, 5 * GRID *GRID *GRID,
                right_sides(GRID, (const double(*)[GRID][GRID][5])wide, (const double(*)[GRID][GRID][5])(wide + 2 * cube),
                            (double(*)[GRID][GRID][5])c));
        CHECKED("eliminated_blocks", double, 30 * BLOCKS,
                eliminated_blocks(BLOCKS, (const double(*)[5][5])wide, (const double(*)[5][5])(wide + 25 * BLOCKS),
                                  (const double(*)[5])(wide + 50 * BLOCKS), (double(*)[5][5])c, (double(*)[5])(out + 25 * BLOCKS)));
        CHECKED("pentadiagonal", double, GRID *GRID *GRID,
                pentadiagonal(GRID, (const double(*)[GRID][GRID])wide, (const double(*)[GRID][GRID])(wide + cube),
                              (double(*)[GRID][GRID])work, (double(*)[GRID][GRID])(work + cube), (double(*)[GRID][GRID])c));
        CHECKED("conjugate", double, RHO_AT + 1, conjugate(UNKNOWNS, 0.1, wide, wide + UNKNOWNS, out, out + UNKNOWNS, out + RHO_AT));
        CHECKED("restricted", double, FINE *FINE *FINE / 8,
                restricted(FINE / 2, (const double(*)[FINE][FINE])wide, (double(*)[FINE / 2][FINE / 2])c));
        CHECKED("prolonged", double, FINE *FINE *FINE,
                prolonged(FINE / 2, (const double(*)[FINE / 2][FINE / 2])wide, (double(*)[FINE][FINE])c));
        CHECKED("evolved", double, WAVES *WAVES *WAVES, evolved(WAVES, 1e-4, (struct complex *)wide, (struct complex *)c));
        CHECKED("deviates", double, 12 * 97, deviates(SEEDS, ahead, out));
        CHECKED("image_of_samples", float, 2 * VOXELS,
                image_of_samples(VOXELS, a, a + VOXELS, a + 2 * VOXELS, (struct frequency *)b, c, c + VOXELS));
        CHECKED("pulled", float, DIRECTIONS *LATTICE *LATTICE *LATTICE / 2, pulled(LATTICE, at, a, c));
        CHECKED("pushed", float, OF_CELL *LATTICE *LATTICE *LATTICE / 2, pushed(LATTICE, a, c));
        CHECKED("tendencies", double, AIR *AIR *LEVELS, tendencies(AIR, at, wide, wide + AIR * AIR * LEVELS, wide + 97, out));
        CHECKED("hourglass", double, 24 * ALL_HEXES,
                hourglass(ALL_HEXES, nodes, where[0], wide, (const double(*)[3][8])(wide + 3 * CORNERS), wide + 7 * CORNERS + 11,
                          (double(*)[3][8])c));
        CHECKED("of_corners", double, 3 * CORNERS,
                of_corners(CORNERS, start, corners, wide, wide + 8 * ALL_HEXES, wide + 16 * ALL_HEXES, out));
        CHECKED("energies", double, 3 * STATES, energies(STATES, wide, out, out + STATES, out + 2 * STATES));
        CHECKED("work_done", double, 2 * field,
                work_done(CLOVER, 0.1, wide, wide + field, wide + 2 * field, wide + 3 * field, wide + 4 * field, wide + 5 * field,
                          wide + 6 * field, wide + 7 * field, wide + 8 * field, out, out + field));
        CHECKED("limited", double, 2 * field,
                limited(CLOVER, wide, wide + field, wide + 2 * field, wide + 3 * field, wide + 4 * field, out, out + field));
        CHECKED("conducted", double, 97 * (heat / 97 + 1) + 1,
                conducted(CONDUCTOR, wide, wide + heat, wide + 2 * heat, out, out + 97 * (heat / 97 + 1)));
        CHECKED("cross_sections", double, 5 * LOOKUPS, cross_sections(LOOKUPS, wide, points, out));
        CHECKED("resonances", double, 2 * RESONANCES,
                resonances(RESONANCES, wide, (struct pole *)(wide + 2 * RESONANCES), out));
        CHECKED("swept", double, GROUPS *SWEPT *SWEPT *SWEPT,
                swept(GROUPS, wide, wide + N / 4, work, work + GROUPS * SWEPT * ANGLES, out));
        CHECKED("repulsion", double, CHARGES, repulsion(CHARGES, (struct charge *)wide, wide + N / 4, out));
        CHECKED("self_energy", double, 6 * 97,
                self_energy(BANDS, VECTORS, OTHERS, (struct complex *)wide, (struct complex *)(wide + 2 * VECTORS * OTHERS),
                            (struct complex *)(wide + N / 4), (struct complex *)(wide + N / 4 + 2 * BANDS * VECTORS), out));
        CHECKED("stiffness", double, 64 * STIFF,
                stiffness(STIFF, nodes, (const double(*)[3])where, wide, (double(*)[8][8])c));
        CHECKED("depthwise", float, IMAGES *MAPS *PICTURE *PICTURE, depthwise(IMAGES, MAPS, PICTURE, a, b, c));
        CHECKED("group_norm", float, BATCH *GROUPED *CHANNELS *SMALL, group_norm(BATCH, a, b, b + GROUPED * CHANNELS, c));
        CHECKED("layer_norm_back", float, TOKENS *WIDTH,
                layer_norm_back(TOKENS, WIDTH, a, b, a + N / 2, b + N / 2, b + N / 2 + TOKENS, c));
        CHECKED("embedding_gradient", float, VOCABULARY *EMBEDDED, embedding_gradient(WORDS, at, a, c));
        CHECKED("softmax_gradient", float, EXAMPLES *CLASSES, softmax_gradient(EXAMPLES, CLASSES, at, a, c));
        CHECKED("chroma", unsigned char, PLANE *PLANE / 2 * 3,
                chroma(PLANE, bytes, bytes_out, bytes_out + PLANE * PLANE, bytes_out + PLANE * PLANE / 4 * 5));
        CHECKED("decoded", unsigned char, PLANE *PLANE, decoded(PLANE, at, (short *)at, bytes_out));
        CHECKED("runs", unsigned char, LINES *(RUNS_OF + 1), runs(LINES, bytes, bytes_out, bytes_out + LINES * RUNS_OF));
        CHECKED("joined", int, PROBES, joined(PROBES, slots, at + SLOTS / 4, (int *)c));
        CHECKED("likeness", float, PRINTS *PRINTS, likeness(PRINTS, (unsigned *)at, c));
        CHECKED("leaders", int, ROWS, leaders(ROWS, COLUMNS, at, b, (int *)c));
        CHECKED("variance", double, 4 * 97, variance(N, a, out));
        CHECKED("complex_dot", double, 2 * 97, complex_dot(COMPLEX, (const float(*)[2])a, (const float(*)[2])b, out));
        CHECKED("packed_triangle", float, ORDER, packed_triangle(ORDER, a, b, c));
        CHECKED("band_products", float, BANDED *SIDES, band_products(BANDED, a, b, c));
    }
    return 0;
}
