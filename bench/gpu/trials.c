// Loops that somebody would try who wants to know whether to accept a compiler: flows in other layouts,
// waves, columns of air, neutrons, statistics, dense and sparse algebra, lattices, telescopes, pictures and
// films, volumes, cloth, rays, finance, orbits, chemistry, trees, tables, ciphers, texts, and what networks
// need around their products. They are written as their users write them, by somebody who did not look at
// what accrue makes of them. Names and sizes are those of trials.cu. Prints a checksum for each.
//
//     trials [ROUNDS]
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "trials.h"
#include "checked.h"

#define CELL(z, y, x, q) ((((z) * GAS + (y)) * GAS + (x)) * OF_CELL + (q))

static void collided(const float *restrict from, float *restrict to)
{
#pragma acc parallel loop collapse(3) present(from, to)
    for (int z = 1; z < 4 * GAS - 1; z++)
        for (int y = 1; y < GAS - 1; y++)
            for (int x = 1; x < GAS - 1; x++) {
                float f[19], density = 0, u = 0, v = 0, w = 0;
                for (int q = 0; q < 19; q++) {
                    f[q] = from[CELL(z - to_z(q), y - to_y(q), x - to_x(q), q)];
                    density += f[q];
                    u += to_x(q) * f[q];
                    v += to_y(q) * f[q];
                    w += to_z(q) * f[q];
                }
                if (from[CELL(z, y, x, 19)] > 0.9f) {
                    for (int q = 0; q < 19; q++)
                        to[CELL(z, y, x, back_from(q))] = f[q];
                } else {
                    u /= density;
                    v /= density;
                    w /= density;
                    float square = 1.5f * (u * u + v * v + w * w);
                    for (int q = 0; q < 19; q++) {
                        float along = 3 * (to_x(q) * u + to_y(q) * v + to_z(q) * w);
                        float rest = part_of(q) * density * (1 + along + 0.5f * along * along - square);
                        to[CELL(z, y, x, q)] = f[q] - 0.9f * (f[q] - rest);
                    }
                }
                to[CELL(z, y, x, 19)] = density;
            }
}

static void accelerated(int n, double dt, const double (*density)[n + 2], const double (*volume)[n + 2],
                        const double (*pressure)[n + 2], const double (*viscosity)[n + 2], const double (*xarea)[n + 2],
                        const double (*yarea)[n + 2], const double (*u)[n + 2], const double (*v)[n + 2],
                        double (*restrict next_u)[n + 2], double (*restrict next_v)[n + 2])
{
#pragma acc kernels default(present)
#pragma acc loop independent collapse(2)
    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++) {
            double mass = (density[j - 1][i - 1] * volume[j - 1][i - 1] + density[j - 1][i] * volume[j - 1][i] +
                           density[j][i] * volume[j][i] + density[j][i - 1] * volume[j][i - 1]) *
                              0.25 +
                          0.1;
            double by = 0.5 * dt / mass;
            next_u[j][i] = u[j][i] - by * (xarea[j][i] * (pressure[j][i] - pressure[j][i - 1]) +
                                           xarea[j - 1][i] * (pressure[j - 1][i] - pressure[j - 1][i - 1]));
            next_v[j][i] = v[j][i] - by * (yarea[j][i] * (pressure[j][i] - pressure[j - 1][i]) +
                                           yarea[j][i - 1] * (pressure[j][i - 1] - pressure[j - 1][i - 1]));
            next_u[j][i] = next_u[j][i] - by * (xarea[j][i] * (viscosity[j][i] - viscosity[j][i - 1]) +
                                                xarea[j - 1][i] * (viscosity[j - 1][i] - viscosity[j - 1][i - 1]));
            next_v[j][i] = next_v[j][i] - by * (yarea[j][i] * (viscosity[j][i] - viscosity[j - 1][i]) +
                                                yarea[j][i - 1] * (viscosity[j][i - 1] - viscosity[j - 1][i - 1]));
        }
}

#define PLATE(j, i) ((j) * (n + 2) + (i))

static void chebyshev(int n, double alpha, double beta, const double *restrict u, const double *restrict u0,
                      const double *restrict kx, const double *restrict ky, double *restrict p, double *restrict next)
{
#pragma acc kernels present(u, u0, kx, ky, p, next)
    {
#pragma acc loop independent
        for (int j = 1; j <= n; j++)
#pragma acc loop independent
            for (int i = 1; i <= n; i++) {
                double w =
                    (1 + ky[PLATE(j + 1, i)] + ky[PLATE(j, i)] + kx[PLATE(j, i + 1)] + kx[PLATE(j, i)]) * u[PLATE(j, i)] -
                    (ky[PLATE(j + 1, i)] * u[PLATE(j + 1, i)] + ky[PLATE(j, i)] * u[PLATE(j - 1, i)]) -
                    (kx[PLATE(j, i + 1)] * u[PLATE(j, i + 1)] + kx[PLATE(j, i)] * u[PLATE(j, i - 1)]);
                p[PLATE(j, i)] = alpha * u0[PLATE(j, i)] + beta * (u0[PLATE(j, i)] - w);
            }
#pragma acc loop independent
        for (int j = 1; j <= n; j++)
#pragma acc loop independent
            for (int i = 1; i <= n; i++)
                next[PLATE(j, i)] = u[PLATE(j, i)] + p[PLATE(j, i)];
    }
}

static void potential(int nz, int ny, int nx, const double a[7][nz][ny][nx], const double x[nz][ny][nx],
                      double y[restrict nz][ny][nx])
{
#pragma acc parallel loop collapse(3) default(present)
    for (int k = 1; k < nz - 1; k++)
        for (int j = 1; j < ny - 1; j++)
            for (int i = 1; i < nx - 1; i++)
                y[k][j][i] = a[0][k][j][i] * x[k - 1][j][i] + a[1][k][j][i] * x[k][j - 1][i] + a[2][k][j][i] * x[k][j][i - 1] +
                             a[3][k][j][i] * x[k][j][i] + a[4][k][j][i] * x[k][j][i + 1] + a[5][k][j][i] * x[k][j + 1][i] +
                             a[6][k][j][i] * x[k + 1][j][i];
}

static void smoothed(long n, struct stride s, const double *x, const double *rhs, const double *alpha, const double *east,
                     const double *north, const double *up, const double *lambda, double *restrict y)
{
#pragma acc parallel loop gang collapse(2) present(x, rhs, alpha, east, north, up, lambda, y)
    for (long k = 1; k < n - 1; k++)
        for (long j = 1; j < n - 1; j++)
#pragma acc loop vector
            for (long i = 1; i < n - 1; i++) {
                long at = i * s.i + j * s.j + k * s.k;
                double ax = 0.7 * alpha[at] * x[at] -
                            1.3 * (east[at + s.i] * (x[at + s.i] - x[at]) + east[at] * (x[at - s.i] - x[at]) +
                                   north[at + s.j] * (x[at + s.j] - x[at]) + north[at] * (x[at - s.j] - x[at]) +
                                   up[at + s.k] * (x[at + s.k] - x[at]) + up[at] * (x[at - s.k] - x[at]));
                y[at] = x[at] + 0.1 * lambda[at] * (rhs[at] - ax);
            }
}

static void absorbed(int n, const float (*restrict ex)[n][n], const float (*restrict ey)[n][n],
                     const float (*restrict bza)[n][n], const float (*restrict hz)[n][n], const float *restrict cx,
                     const float *restrict cy, const float *restrict cz, float (*restrict next_hz)[n][n],
                     float (*restrict next_bza)[n][n])
{
#pragma acc parallel loop gang present(ex[0:n / 2], ey[0:n / 2], bza[0:n / 2], hz[0:n / 2], cx, cy, cz, \
                                       next_hz[0:n / 2], next_bza[0:n / 2])
    for (int iz = 0; iz < n / 2; iz++)
#pragma acc loop worker
        for (int iy = 0; iy < n - 1; iy++)
#pragma acc loop vector
            for (int ix = 0; ix < n - 1; ix++) {
                float curl = ex[iz][iy][ix] - ex[iz][iy + 1][ix] + ey[iz][iy][ix + 1] - ey[iz][iy][ix];
                float of_y = cy[iy] + 0.5f, of_x = cx[ix] + 0.5f;
                float tmp = (0.4f / of_y) * bza[iz][iy][ix] - (0.7f / of_y) * curl;
                next_hz[iz][iy][ix] = (0.3f / of_x) * hz[iz][iy][ix] + (0.2f * cz[iz] / of_x) * tmp -
                                      (0.2f * (1 - cz[iz]) / of_x) * bza[iz][iy][ix];
                next_bza[iz][iy][ix] = tmp;
            }
}

#define IDX3(i, j, k) (((k) * n + (j)) * n + (i))

static void acoustic(int n, const float *restrict w, const float *restrict now, const float *restrict before,
                     const float *restrict speed, float *restrict next)
{
#pragma acc parallel loop collapse(3) present(w, now, before, speed, next)
    for (int k = 8; k < n - 8; k++)
        for (int j = 8; j < n - 8; j++)
            for (int i = 8; i < n - 8; i++) {
                float sum = 3 * w[0] * now[IDX3(i, j, k)];
                for (int r = 1; r <= 8; r++)
                    sum += w[r] * (now[IDX3(i + r, j, k)] + now[IDX3(i - r, j, k)] + now[IDX3(i, j + r, k)] +
                                   now[IDX3(i, j - r, k)] + now[IDX3(i, j, k + r)] + now[IDX3(i, j, k - r)]);
                next[IDX3(i, j, k)] = 2 * now[IDX3(i, j, k)] - before[IDX3(i, j, k)] + 0.1f * speed[IDX3(i, j, k)] * sum;
            }
}

static void reactions(int n, float u[n][n][n], float v[n][n][n], float next_u[n][n][n], float next_v[n][n][n])
{
#pragma acc parallel loop independent gang worker vector collapse(3) default(present)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                float p = u[i][j][k], q = v[i][j][k], rate = p * q * q;
                float du =
                    u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] + u[i][j][k - 1] + u[i][j][k + 1] - 6 * p;
                float dv =
                    v[i - 1][j][k] + v[i + 1][j][k] + v[i][j - 1][k] + v[i][j + 1][k] + v[i][j][k - 1] + v[i][j][k + 1] - 6 * q;
                next_u[i][j][k] = p + 0.16f * du - rate + 0.035f * (1 - p);
                next_v[i][j][k] = q + 0.08f * dv + rate - 0.1f * q;
            }
}

static void radiated(int columns, const double *restrict depth, double *restrict net)
{
#pragma acc parallel loop gang vector present(depth, net)
    for (int i = 0; i < columns; i++) {
        for (int k = 0; k < LEVELS; k++)
            net[k * columns + i] = 0;
#pragma acc loop seq
        for (int b = 0; b < BANDS; b++) {
            double down = 1.0 / (b + 1), source = 0.1 * b;
            for (int k = 0; k < LEVELS; k++) {
                double left = exp(-0.5 * depth[(b * LEVELS + k) * columns + i]);
                down = down * left + source * (1 - left);
                net[k * columns + i] += down;
            }
            double up = 0.3 * down;
            for (int k = LEVELS - 1; k >= 0; k--) {
                double left = exp(-0.5 * depth[(b * LEVELS + k) * columns + i]);
                up = up * left + source * (1 - left);
                net[k * columns + i] -= up;
            }
        }
    }
}

static void scattered_moments(const float *restrict of, const float *restrict psi, float *restrict phi)
{
#pragma acc parallel loop collapse(3) present(of, psi, phi)
    for (int m = 0; m < MOMENTS; m++)
        for (int g = 0; g < GROUPS; g++)
            for (int z = 0; z < ZONES; z++) {
                float sum = 0;
#pragma acc loop seq
                for (int d = 0; d < DIRECTIONS; d++)
                    sum += of[m * DIRECTIONS + d] * psi[(d * GROUPS + g) * ZONES + z];
                phi[(m * GROUPS + g) * ZONES + z] = sum;
            }
}

static void covariances(int n, int m, const float *restrict x, float *restrict mean, float *restrict centred, float *restrict y)
{
#pragma acc data present(x, mean, centred, y)
    {
#pragma acc parallel loop gang
        for (int j = 0; j < m; j++) {
            float sum = 0;
#pragma acc loop vector reduction(+:sum)
            for (int i = 0; i < n; i++)
                sum += x[i * m + j];
            mean[j] = sum / n;
        }
#pragma acc parallel loop collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                centred[i * m + j] = x[i * m + j] - mean[j];
#pragma acc parallel loop gang
        for (int p = 0; p < m; p++)
#pragma acc loop vector
            for (int q = p; q < m; q++) {
                float sum = 0;
                for (int i = 0; i < n; i++)
                    sum += centred[i * m + p] * centred[i * m + q];
                y[p * m + q] = y[q * m + p] = sum / (n - 1);
            }
    }
}

static void orthogonalised(int rows, int columns, const float *restrict q, const float *restrict x, float *restrict r,
                           float *restrict y)
{
#pragma acc parallel loop present(q, x, r, y)
    for (int j = 0; j < columns; j++) {
        float sum = 0;
        for (int i = 0; i < rows; i++)
            sum += q[i] * x[i * columns + j];
        for (int i = 0; i < rows; i++)
            y[i * columns + j] = x[i * columns + j] - q[i] * sum * (3.0f / BASIS);
        r[j] = sum;
    }
}

static void rank_two(int n, const float (*restrict a)[n], const float *u, const float *v, const float *p, const float *q,
                     float (*restrict b)[n], float *restrict x, float *restrict w)
{
#pragma acc kernels present(a[0:n], u, v, p, q, b[0:n], x, w)
    {
#pragma acc loop independent collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                b[i][j] = a[i][j] + u[i] * v[j] + p[i] * q[j];
#pragma acc loop independent
        for (int i = 0; i < n; i++) {
            float sum = 0;
#pragma acc loop reduction(+:sum)
            for (int j = 0; j < n; j++)
                sum += b[j][i] * p[j];
            x[i] = v[i] + 0.001f * sum;
        }
#pragma acc loop independent
        for (int i = 0; i < n; i++) {
            float sum = 0;
#pragma acc loop reduction(+:sum)
            for (int j = 0; j < n; j++)
                sum += b[i][j] * x[j];
            w[i] = 1.5f * sum;
        }
    }
}

static void block_solves(int n, const double (*restrict a)[FIVE][FIVE], const double (*restrict b)[FIVE],
                         double (*restrict x)[FIVE])
{
#pragma acc parallel loop gang vector vector_length(128) default(present)
    for (int s = 0; s < n; s++) {
        double lhs[FIVE][FIVE], r[FIVE];
        for (int i = 0; i < FIVE; i++) {
            for (int j = 0; j < FIVE; j++)
                lhs[i][j] = a[s][i][j] + (i == j ? 4 : 0);
            r[i] = b[s][i];
        }
        for (int p = 0; p < FIVE; p++) {
            double by = 1 / lhs[p][p];
            for (int j = p + 1; j < FIVE; j++)
                lhs[p][j] *= by;
            r[p] *= by;
            for (int i = 0; i < FIVE; i++)
                if (i != p) {
                    double factor = lhs[i][p];
                    for (int j = p + 1; j < FIVE; j++)
                        lhs[i][j] -= factor * lhs[p][j];
                    r[i] -= factor * r[p];
                }
        }
        for (int i = 0; i < FIVE; i++)
            x[s][i] = r[i];
    }
}

static void linked(int sites, const struct site *restrict a, const struct matrix *restrict b, struct site *restrict c)
{
#pragma acc parallel loop gang present(a, b, c) vector_length(64)
    for (int s = 0; s < sites; s++)
#pragma acc loop vector collapse(3)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) {
                    struct number sum = {0, 0};
                    for (int m = 0; m < 3; m++) {
                        struct number p = a[s].link[j].e[k][m], q = b[j].e[m][l];
                        sum.re += p.re * q.re - p.im * q.im;
                        sum.im += p.re * q.im + p.im * q.re;
                    }
                    c[s].link[j].e[k][l] = sum;
                }
}

static void correlated(const float complex *restrict x, float complex *restrict y)
{
#pragma acc parallel loop gang collapse(2) present(x, y)
    for (int f = 0; f < CHANNELS; f++)
        for (int i = 0; i < STATIONS; i++)
#pragma acc loop vector
            for (int j = 0; j <= i; j++) {
                float complex sum = 0;
                for (int t = 0; t < SAMPLES; t++)
                    sum += x[(f * SAMPLES + t) * STATIONS + i] * conjf(x[(f * SAMPLES + t) * STATIONS + j]);
                y[(f * STATIONS + i) * STATIONS + j] = sum;
            }
}

static void segments(int n, const long *start, const double *x, double *y)
{
#pragma acc parallel loop gang present(start, x, y)
    for (int s = 0; s < n; s++) {
        double sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (long i = start[s]; i < start[s + 1]; i++)
            sum += x[i] * x[i];
        y[s] = sqrt(sum);
    }
}

static void jagged(int rows, const int *restrict diagonals, const int *restrict column, const float *restrict value,
                   const float *restrict x, const int *restrict places, float *restrict y)
{
#pragma acc parallel loop present(diagonals, column, value, x, places, y)
    for (int i = 0; i < rows; i++) {
        float sum = 0;
        for (int d = 0; d < WIDEST && i < diagonals[d + 1] - diagonals[d]; d++)
            sum += value[diagonals[d] + i] * x[column[diagonals[d] + i] & (ROWS - 1)];
        y[places[i]] = sum;
    }
}

static void sparse_by_dense(int rows, const int *restrict start, const int *restrict column, const float *restrict value,
                            const float (*restrict x)[DENSE], float (*restrict y)[DENSE])
{
#pragma acc parallel loop gang vector_length(32) default(present)
    for (int i = 0; i < rows; i++)
#pragma acc loop vector
        for (int j = 0; j < DENSE; j++) {
            float sum = 0;
#pragma acc loop seq
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[column[k] & (TALL - 1)][j];
            y[i][j] = sum;
        }
}

static void sampled(int rows, const int *restrict start, const int *restrict column, const float (*restrict p)[DENSE],
                    const float (*restrict q)[DENSE], float *restrict y)
{
#pragma acc parallel loop default(present)
    for (int i = 0; i < rows; i++)
        for (int k = start[i]; k < start[i + 1]; k++) {
            float sum = 0;
            for (int d = 0; d < DENSE; d++)
                sum += p[i][d] * q[column[k] & (TALL - 1)][d];
            y[k] = sum;
        }
}

static void taps(long n, float *x, float *w, float *y)
{
#pragma acc parallel loop independent present(x, w, y)
    for (long i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < TAPS; k++)
            sum += w[k] * x[i + k];
        y[i] = sum;
    }
}

static void haar(int n, const float (*x)[n], float (*restrict y)[n])
{
    int half = n / 2;
#pragma acc parallel loop collapse(2) present(x[0:n], y[0:n])
    for (int i = 0; i < half; i++)
        for (int j = 0; j < half; j++) {
            float a = x[2 * i][2 * j], b = x[2 * i][2 * j + 1], c = x[2 * i + 1][2 * j], d = x[2 * i + 1][2 * j + 1];
            y[i][j] = 0.5f * (a + b + c + d);
            y[i][j + half] = 0.5f * (a - b + c - d);
            y[i + half][j] = 0.5f * (a + b - c - d);
            y[i + half][j + half] = 0.5f * (a - b - c + d);
        }
}

static void integral(int n, const uint8_t *restrict x, unsigned *restrict rows, unsigned *restrict y)
{
#pragma acc parallel loop present(x, rows)
    for (int i = 0; i < n; i++) {
        unsigned sum = 0;
#pragma acc loop seq
        for (int j = 0; j < n; j++) {
            sum += x[i * n + j];
            rows[i * n + j] = sum;
        }
    }
#pragma acc parallel loop present(rows, y)
    for (int j = 0; j < n; j++) {
        unsigned sum = 0;
#pragma acc loop seq
        for (int i = 0; i < n; i++) {
            sum += rows[i * n + j];
            y[i * n + j] = sum;
        }
    }
}

static void equalised(int n, const uint8_t *restrict x, int *restrict counts, uint8_t *restrict y)
{
#pragma acc data present(x, counts, y)
    {
#pragma acc parallel loop
        for (int k = 0; k < 256; k++)
            counts[k] = 0;
#pragma acc parallel loop
        for (int i = 0; i < n; i++) {
#pragma acc atomic update
            counts[x[i]]++;
        }
#pragma acc serial
        for (int k = 1; k < 256; k++)
            counts[k] += counts[k - 1];
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            y[i] = (uint8_t)(255.0f * counts[x[i]] / n);
    }
}

static void thinned(int n, const float *restrict gx, const float *restrict gy, uint8_t *restrict y)
{
#pragma acc parallel loop collapse(2) present(gx, gy, y)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int at = i * n + j, by;
            float u = gx[at] - 0.5f, v = gy[at] - 0.5f, size = u * u + v * v;
            if (fabsf(v) < 0.4142f * fabsf(u))
                by = 1;
            else if (fabsf(u) < 0.4142f * fabsf(v))
                by = n;
            else
                by = u * v > 0 ? n + 1 : n - 1;
            float pu = gx[at + by] - 0.5f, pv = gy[at + by] - 0.5f, qu = gx[at - by] - 0.5f, qv = gy[at - by] - 0.5f;
            if (size < pu * pu + pv * pv || size < qu * qu + qv * qv)
                y[at] = 0;
            else
                y[at] = size > 0.3f ? 255 : size > 0.1f ? 128 : 0;
        }
}

#define AROUND(f) \
    ((f[at - 1] + f[at + 1] + f[at - n] + f[at + n]) / 6 + (f[at - n - 1] + f[at - n + 1] + f[at + n - 1] + f[at + n + 1]) / 12)

static void flow(int n, const float *restrict ix, const float *restrict iy, const float *restrict it, const float *restrict u,
                 const float *restrict v, float *restrict next_u, float *restrict next_v)
{
#pragma acc kernels loop independent collapse(2) present(ix, iy, it, u, v, next_u, next_v)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int at = i * n + j;
            float mean_u = AROUND(u), mean_v = AROUND(v);
            float by = (ix[at] * mean_u + iy[at] * mean_v + it[at]) / (0.25f + ix[at] * ix[at] + iy[at] * iy[at]);
            next_u[at] = mean_u - ix[at] * by;
            next_v[at] = mean_v - iy[at] * by;
        }
}

static void pyramid(int n, const float *restrict x, float *restrict y)
{
    const float w[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
#pragma acc parallel loop collapse(2) present(x, y) copyin(w)
    for (int i = 0; i < n / 2; i++)
        for (int j = 0; j < n / 2; j++) {
            float sum = 0;
            for (int di = -2; di <= 2; di++)
                for (int dj = -2; dj <= 2; dj++) {
                    int r = 2 * i + di, s = 2 * j + dj;
                    r = r < 0 ? 0 : r > n - 1 ? n - 1 : r;
                    s = s < 0 ? 0 : s > n - 1 ? n - 1 : s;
                    sum += w[di + 2] * w[dj + 2] * x[r * n + s];
                }
            y[i * (n / 2) + j] = sum;
        }
}

static void denoised(int n, float h, const float (*restrict x)[n], float (*restrict y)[n])
{
    const int edge = ASKED + PATCH;
#pragma acc parallel loop gang vector collapse(2) present(x[0:n], y[0:n])
    for (int i = edge; i < n - edge; i++)
        for (int j = edge; j < n - edge; j++) {
            float sum = 0, weights = 0;
            for (int p = -ASKED; p <= ASKED; p++)
                for (int q = -ASKED; q <= ASKED; q++) {
                    float distance = 0;
                    for (int r = -PATCH; r <= PATCH; r++)
                        for (int s = -PATCH; s <= PATCH; s++) {
                            float d = x[i + r][j + s] - x[i + p + r][j + q + s];
                            distance += d * d;
                        }
                    float w = expf(-distance * h);
                    sum += w * x[i + p][j + q];
                    weights += w;
                }
            y[i][j] = sum / weights;
        }
}

static void weighted_cube(int n, const float *A, float *restrict B)
{
    const float c11 = 2, c21 = 5, c31 = -8, c12 = -3, c22 = 6, c32 = -9, c13 = 4, c23 = 7, c33 = 10;
#pragma acc parallel loop gang present(A, B)
    for (int i = 1; i < n - 1; i++)
#pragma acc loop vector collapse(2)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                B[(i * n + j) * n + k] =
                    c11 * A[((i - 1) * n + j - 1) * n + k - 1] + c13 * A[((i + 1) * n + j - 1) * n + k - 1] +
                    c21 * A[((i - 1) * n + j - 1) * n + k - 1] + c23 * A[((i + 1) * n + j - 1) * n + k - 1] +
                    c31 * A[((i - 1) * n + j - 1) * n + k - 1] + c33 * A[((i + 1) * n + j - 1) * n + k - 1] +
                    c12 * A[(i * n + j - 1) * n + k] + c22 * A[(i * n + j) * n + k] + c32 * A[(i * n + j + 1) * n + k] +
                    c11 * A[((i - 1) * n + j - 1) * n + k + 1] + c13 * A[((i + 1) * n + j - 1) * n + k + 1] +
                    c21 * A[((i - 1) * n + j) * n + k + 1] + c23 * A[((i + 1) * n + j) * n + k + 1] +
                    c31 * A[((i - 1) * n + j + 1) * n + k + 1] + c33 * A[((i + 1) * n + j + 1) * n + k + 1];
}

static void motion(int n, const uint8_t *restrict now, const uint8_t *restrict before, int *restrict best)
{
    int blocks = n / MACRO;
#pragma acc parallel loop gang collapse(2) present(now, before, best)
    for (int p = 1; p < blocks - 1; p++)
        for (int q = 1; q < blocks - 1; q++) {
            int least = 1 << 30;
#pragma acc loop vector collapse(2) reduction(min:least)
            for (int di = -MOVED; di <= MOVED; di++)
                for (int dj = -MOVED; dj <= MOVED; dj++) {
                    int sum = 0;
                    for (int i = 0; i < MACRO; i++)
                        for (int j = 0; j < MACRO; j++)
                            sum += abs(now[(p * MACRO + i) * n + q * MACRO + j] -
                                       before[(p * MACRO + i + di) * n + q * MACRO + j + dj]);
                    int key = sum << 12 | (di + MOVED) << 6 | (dj + MOVED);
                    least = key < least ? key : least;
                }
            best[p * blocks + q] = least;
        }
}

static void separations(int n, const float *restrict stars, const float *restrict bins, int *restrict counts)
{
#pragma acc parallel loop present(counts)
    for (int k = 0; k <= BINS; k++)
        counts[k] = 0;
#pragma acc parallel loop collapse(2) present(stars, bins, counts)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float cosine = stars[i] * stars[j] + stars[n + i] * stars[n + j] + stars[2 * n + i] * stars[2 * n + j];
            int low = 0, high = BINS;
            while (low < high) {
                int middle = (low + high) / 2;
                if (cosine < bins[middle])
                    low = middle + 1;
                else
                    high = middle;
            }
#pragma acc atomic update
            counts[low] += 1;
        }
}

static void coulomb(int n, int charges, float spacing, const struct four *restrict q, float *restrict y)
{
#pragma acc parallel loop tile(8, 32) present(q, y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0, px = spacing * j, py = spacing * i;
            for (int k = 0; k < charges; k++) {
                float dx = px - 10 * q[k].x, dy = py - 10 * q[k].y, dz = q[k].z + 0.1f;
                sum += (q[k].w - 0.3f) / sqrtf(dx * dx + dy * dy + dz * dz);
            }
            y[i * n + j] = sum;
        }
}

static void charged(int n, const float *restrict px, const float *restrict py, const float *restrict pz, float *y)
{
#pragma acc parallel loop present(px, py, pz, y)
    for (int p = 0; p < n; p++) {
        float x = px[p] * (MESH - 1), v = py[p] * (MESH - 1), z = pz[p] * (MESH - 1);
        int i = (int)x, j = (int)v, k = (int)z;
        x -= i;
        v -= j;
        z -= k;
        float wx[2] = {1 - x, x}, wy[2] = {1 - v, v}, wz[2] = {1 - z, z};
        for (int dk = 0; dk < 2; dk++)
            for (int dj = 0; dj < 2; dj++)
                for (int di = 0; di < 2; di++) {
#pragma acc atomic update
                    y[((k + dk) * MESH + j + dj) * MESH + i + di] += wz[dk] * wy[dj] * wx[di];
                }
    }
}

static void cloth(int n, const struct four *restrict p, const struct four *restrict v, struct four *restrict y)
{
#pragma acc parallel loop collapse(2) present(p, v, y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            struct four f = {0, -9.8f * p[i * n + j].w, 0, 0};
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++) {
                    if (di == 0 && dj == 0)
                        continue;
                    if (i + di < 0 || i + di >= n || j + dj < 0 || j + dj >= n)
                        continue;
                    float length = di != 0 && dj != 0 ? 1.41421356f : 1;
                    struct four one = pull(p[i * n + j], p[(i + di) * n + j + dj], length);
                    f.x += one.x;
                    f.y += one.y;
                    f.z += one.z;
                }
            float by = 0.001f / p[i * n + j].w;
            struct four next = {v[i * n + j].x + by * f.x, v[i * n + j].y + by * f.y, v[i * n + j].z + by * f.z, f.x + f.z};
            y[i * n + j] = next;
        }
}

static void hit(int rays, int faces, const float (*restrict from)[3], const float (*restrict to)[3],
                const float (*restrict face)[9], float *restrict y)
{
#pragma acc parallel loop present(from[0:rays], to[0:rays], face[0:faces], y)
    for (int i = 0; i < rays; i++) {
        float o[3] = {from[i][0], from[i][1], from[i][2] - 2}, d[3] = {to[i][0] - 0.5f, to[i][1] - 0.5f, to[i][2] + 0.5f};
        float nearest = 1e30f;
        for (int k = 0; k < faces; k++)
            nearest = meets(o, d, face[k], nearest);
        y[i] = nearest < 1e30f ? nearest : -1;
    }
}

static void classified(int n, float level, const float *restrict volume, const int *restrict cases, uint8_t *restrict y,
                       int *triangles)
{
    int all = 0;
#pragma acc parallel loop collapse(3) reduction(+:all) present(volume, cases, y)
    for (int k = 0; k < n - 1; k++)
        for (int j = 0; j < n - 1; j++)
            for (int i = 0; i < n - 1; i++) {
                int index = 0;
                if (volume[IDX3(i, j, k)] < level)
                    index |= 1;
                if (volume[IDX3(i + 1, j, k)] < level)
                    index |= 2;
                if (volume[IDX3(i + 1, j + 1, k)] < level)
                    index |= 4;
                if (volume[IDX3(i, j + 1, k)] < level)
                    index |= 8;
                if (volume[IDX3(i, j, k + 1)] < level)
                    index |= 16;
                if (volume[IDX3(i + 1, j, k + 1)] < level)
                    index |= 32;
                if (volume[IDX3(i + 1, j + 1, k + 1)] < level)
                    index |= 64;
                if (volume[IDX3(i, j + 1, k + 1)] < level)
                    index |= 128;
                y[IDX3(i, j, k)] = (uint8_t)index;
                all += cases[index];
            }
    triangles[0] = all;
#pragma acc update device(triangles[0:1])
}

static void rendered(int n, int screen, const float *restrict volume, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(volume, y)
    for (int i = 0; i < screen; i++)
        for (int j = 0; j < screen; j++) {
            float x = (j + 0.5f) * (n - 2) / screen, v = (i + 0.5f) * (n - 2) / screen, light = 0, through = 1;
            for (int step = 0; step < n - 1 && through > 0.02f; step++) {
                float at = within(volume, n, x, v, (float)step), opaque = at > 0.6f ? 0.3f * (at - 0.6f) : 0;
                light += through * opaque * at;
                through *= 1 - opaque;
            }
            y[i * screen + j] = light;
        }
}

static void noise(int n, const int *restrict table, float *restrict y)
{
#pragma acc parallel loop gang present(table, y)
    for (int i = 0; i < n; i++)
#pragma acc loop vector
        for (int j = 0; j < n; j++) {
            float sum = 0, size = 1, scale = 16.0f / n;
            for (int octave = 0; octave < 4; octave++) {
                sum += size * noise_at(table, j * scale + 0.37f, i * scale + 0.71f);
                size *= 0.5f;
                scale *= 2;
            }
            y[i * n + j] = sum;
        }
}

static void sobol(unsigned n, int dimensions, const unsigned *restrict directions, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(directions, y)
    for (int d = 0; d < dimensions; d++)
        for (unsigned i = 0; i < n; i++) {
            unsigned gray = i ^ i >> 1, x = 0;
            for (int bit = 0; gray != 0; bit++, gray >>= 1)
                if (gray & 1)
                    x ^= directions[d * 32 + bit];
            y[d * n + i] = x * 2.3283064e-10f;
        }
}

static void implied(int n, const double *restrict spread, const double *restrict money, double *restrict y)
{
#pragma acc parallel loop present(spread, money, y)
    for (int i = 0; i < n; i++) {
        double strike = 80 + 40 * money[i], years = 0.5 + money[n + i],
               want = price_of_call(100, strike, 0.02, years, 0.1 + 0.5 * spread[i]);
        double low = 0.01, high = 1.5, guess = 0.3;
        for (int round = 0; round < 60 && high - low > 1e-9; round++) {
            double price = price_of_call(100, strike, 0.02, years, guess);
            if (price > want)
                high = guess;
            else
                low = guess;
            double one = (log(100 / strike) + (0.02 + 0.5 * guess * guess) * years) / (guess * sqrt(years));
            double vega = 39.894228040143268 * sqrt(years) * exp(-0.5 * one * one);
            double next = guess - (price - want) / vega;
            if (fabs(next - guess) < 1e-10)
                break;
            guess = next > low && next < high ? next : 0.5 * (low + high);
        }
        y[i] = guess;
    }
}

static void bonds(int n, const double *restrict rate, const int *restrict coupons, double *restrict price,
                  double *restrict duration)
{
#pragma acc parallel loop present(rate, coupons, price, duration)
    for (int b = 0; b < n; b++) {
        double sum = 0, moment = 0, yield = 0.01 + 0.05 * rate[b], coupon = 1 + 4 * rate[n + b];
        int last = 4 + coupons[b] % 56;
        for (int k = 1; k <= last; k++) {
            double years = 0.5 * k, paid = (k == last ? 100 : 0) + coupon, now = paid * pow(1 + yield, -years);
            sum += now;
            moment += years * now;
        }
        price[b] = sum;
        duration[b] = moment / sum;
    }
}

static void darts(int streams, long long *y)
{
    long long hits = 0;
#pragma acc parallel loop reduction(+:hits)
    for (int s = 0; s < streams; s++) {
        unsigned x = scattered(s + 1) | 1;
        for (int k = 0; k < DARTS; k++) {
            x = next_random(x);
            float u = (x >> 8) * 5.9604645e-8f;
            x = next_random(x);
            float v = (x >> 8) * 5.9604645e-8f;
            if (u * u + v * v < 1)
                hits++;
        }
    }
    y[0] = hits;
#pragma acc update device(y[0:1])
}

static void orbits(int n, const double *restrict mean, const double *restrict of_shape, double *restrict x, double *restrict y)
{
#pragma acc parallel loop gang vector present(mean, of_shape, x, y)
    for (int i = 0; i < n; i++) {
        double m = 6.283185307179586 * mean[i], e = 0.9 * of_shape[i], angle = e > 0.6 ? 3.141592653589793 : m, change = 1;
        int rounds = 0;
        while (fabs(change) > 1e-12 && rounds++ < 30) {
            change = (angle - e * sin(angle) - m) / (1 - e * cos(angle));
            angle -= change;
        }
        x[i] = cos(angle) - e;
        y[i] = sqrt(1 - e * e) * sin(angle);
    }
}

static void kinetics(int n, int steps, const double *restrict begin, double *restrict y)
{
#pragma acc parallel loop present(begin, y)
    for (int v = 0; v < n; v++) {
        double a = 1, b = 1e-5, c = 0, h = 1e-2 * (1 + begin[v]);
        for (int step = 0; step < steps; step++) {
            double p = a, q = b, r = c;
            for (int round = 0; round < 3; round++) {
                double f = p - a + h * (0.04 * p - 1e4 * q * r), g = q - b - h * (0.04 * p - 1e4 * q * r - 3e7 * q * q);
                double k = r - c - h * 3e7 * q * q;
                double m[3][4] = {{1 + 0.04 * h, -h * 1e4 * r, -h * 1e4 * q, -f},
                                  {-0.04 * h, 1 + h * (1e4 * r + 6e7 * q), h * 1e4 * q, -g},
                                  {0, -h * 6e7 * q, 1, -k}};
                for (int s = 0; s < 3; s++)
                    for (int t = s + 1; t < 3; t++) {
                        double factor = m[t][s] / m[s][s];
                        for (int u = s; u < 4; u++)
                            m[t][u] -= factor * m[s][u];
                    }
                double dr = m[2][3] / m[2][2], dq = (m[1][3] - m[1][2] * dr) / m[1][1];
                p += (m[0][3] - m[0][1] * dq - m[0][2] * dr) / m[0][0];
                q += dq;
                r += dr;
            }
            a = p;
            b = q;
            c = r;
        }
        y[3 * v] = a;
        y[3 * v + 1] = b;
        y[3 * v + 2] = c;
    }
}

static void opened(int n, const float *restrict traits, const float *restrict candidate, const float *restrict cost,
                   const int *restrict shop, float *restrict lower, uint8_t *restrict moves, float *gain)
{
    float sum = 0;
#pragma acc parallel loop present(traits, candidate, cost, shop, lower, moves) reduction(+:sum)
    for (int i = 0; i < n; i++) {
        float distance = 0, now = 10 * cost[i];
        for (int d = 0; d < TRAITS; d++) {
            float by = traits[i * TRAITS + d] - candidate[d];
            distance += by * by;
        }
        if (distance < now) {
            moves[i] = 1;
            sum += distance - now;
        } else {
            moves[i] = 0;
#pragma acc atomic update
            lower[shop[i] % SHOPS] += now - distance;
        }
    }
    gain[0] = sum;
#pragma acc update device(gain[0:1])
}

static void hamming(int n, int known, const unsigned (*restrict asked)[8], const unsigned (*restrict words)[8], int *restrict y)
{
#pragma acc parallel loop gang present(asked[0:n], words[0:known], y)
    for (int i = 0; i < n; i++) {
        int least = 0x7fffffff;
#pragma acc loop vector reduction(min:least)
        for (int k = 0; k < known; k++) {
            int bits = 0;
            for (int w = 0; w < 8; w++)
                bits += __builtin_popcount(asked[i][w] ^ words[k][w]);
            int key = bits << 16 | k;
            if (key < least)
                least = key;
        }
        y[i] = least;
    }
}

static void forest(int n, const struct split *restrict trees, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(trees, x, y)
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int t = 0; t < TREES; t++) {
            int at = 1;
            for (int d = 0; d < DEPTH - 1; d++) {
                struct split s = trees[(t << DEPTH) + at];
                at = 2 * at + (x[i * FEATURES + s.feature] > s.threshold);
            }
            sum += trees[(t << DEPTH) + at].threshold;
        }
        y[i] = sum / TREES;
    }
}

static void tree_queries(int n, const struct node *restrict tree, const int *restrict wanted, int *restrict y)
{
#pragma acc parallel loop present(tree, wanted, y)
    for (int i = 0; i < n; i++) {
        int key = wanted[i] & ((1 << 20) - 1), at = 0;
        for (int floor = 0; floor < FLOORS; floor++) {
            int k = 0;
            while (k < FANOUT - 1 && tree[at].keys[k] <= key)
                k++;
            if (tree[at].first < 0)
                at = -1 - tree[at].first + k;
            else
                at = tree[at].first + k;
        }
        y[i] = at;
    }
}

static void probed(int n, const unsigned long long *restrict keys, const int *restrict wanted, int *restrict y)
{
#pragma acc parallel loop present(keys, wanted, y)
    for (int i = 0; i < n; i++) {
        unsigned long long key = ((unsigned long long)wanted[2 * i] << 24 ^ wanted[2 * i + 1]) | 1;
        unsigned slot = (unsigned)(key * 0x9e3779b97f4a7c15ull >> 42);
        int found = -1;
        while (1) {
            unsigned long long have = keys[slot % SLOTS];
            if (have == key) {
                found = slot % SLOTS;
                break;
            }
            if (have == 0)
                break;
            slot++;
        }
        y[i] = found;
    }
}

static void chosen(int n, const int *restrict start, const int *restrict column, int *restrict y)
{
#pragma acc parallel loop present(start, column, y)
    for (int i = 0; i < n; i++) {
        unsigned own = scattered(i);
        int first = 1;
        for (int k = start[i]; k < start[i + 1]; k++) {
            int j = (i + 1 + column[k] % 4096) & (ROWS - 1);
            unsigned other = scattered(j);
            if (other > own || (other == own && j > i)) {
                first = 0;
                break;
            }
        }
        y[i] = first;
    }
}

static void totals(int n, const int *restrict kind, const double *restrict price, struct total *restrict y)
{
#pragma acc parallel loop present(kind, price, y)
    for (int i = 0; i < n; i++) {
        int k = kind[i] & (KINDS - 1);
#pragma acc atomic update
        y[k].cents += (long long)(100 * price[i]);
#pragma acc atomic update
        y[k].count++;
    }
}

static void automaton(int n, const uint8_t *restrict machine, const uint8_t *restrict text, int *restrict y)
{
    int found = 0;
#pragma acc parallel loop gang vector reduction(+:found) present(machine, text)
    for (int i = 0; i < n; i++) {
        int state = 0;
        for (int k = 0; k < OF_TEXT; k++) {
            state = machine[state << 8 | text[i * OF_TEXT + k]];
            found += state >= MACHINE / 2;
        }
    }
    y[0] = found;
#pragma acc update device(y[0:1])
}

#define TURNED(x, by) ((x) << (by) | (x) >> (32 - (by)))

static void encrypted(int n, const unsigned *restrict table, const unsigned *restrict key, const unsigned *restrict x,
                      unsigned *restrict y)
{
#pragma acc parallel loop present(table, key, x, y)
    for (int i = 0; i < n; i++) {
        unsigned s0 = x[4 * i] ^ key[0], s1 = x[4 * i + 1] ^ key[1], s2 = x[4 * i + 2] ^ key[2], s3 = x[4 * i + 3] ^ key[3];
        for (int round = 1; round < 10; round++) {
            unsigned a = table[s0 & 255], b = table[s1 & 255], c = table[s2 & 255], d = table[s3 & 255];
            unsigned e = table[s1 >> 8 & 255], f = table[s2 >> 8 & 255], g = table[s3 >> 8 & 255], h = table[s0 >> 8 & 255];
            a ^= TURNED(e, 8);
            b ^= TURNED(f, 8);
            c ^= TURNED(g, 8);
            d ^= TURNED(h, 8);
            e = table[s2 >> 16 & 255], f = table[s3 >> 16 & 255], g = table[s0 >> 16 & 255], h = table[s1 >> 16 & 255];
            a ^= TURNED(e, 16);
            b ^= TURNED(f, 16);
            c ^= TURNED(g, 16);
            d ^= TURNED(h, 16);
            e = table[s3 >> 24], f = table[s0 >> 24], g = table[s1 >> 24], h = table[s2 >> 24];
            s0 = a ^ TURNED(e, 24) ^ key[4 * round];
            s1 = b ^ TURNED(f, 24) ^ key[4 * round + 1];
            s2 = c ^ TURNED(g, 24) ^ key[4 * round + 2];
            s3 = d ^ TURNED(h, 24) ^ key[4 * round + 3];
        }
        y[4 * i] = s0;
        y[4 * i + 1] = s1;
        y[4 * i + 2] = s2;
        y[4 * i + 3] = s3;
    }
}

static void encoded(int n, const uint8_t *restrict x, char *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++) {
        unsigned three = x[3 * i] << 16 | x[3 * i + 1] << 8 | x[3 * i + 2];
        for (int k = 0; k < 4; k++) {
            int six = three >> (18 - 6 * k) & 63;
            char letter;
            if (six < 26)
                letter = 'A' + six;
            else if (six < 52)
                letter = 'a' + six - 26;
            else if (six < 62)
                letter = '0' + six - 52;
            else
                letter = six == 62 ? '+' : '/';
            y[4 * i + k] = letter;
        }
    }
}

static void losses(int rows, int words, const float *restrict x, const int *restrict label, float *restrict y)
{
#pragma acc parallel loop gang present(x, label, y)
    for (int i = 0; i < rows; i++) {
        float most = -INFINITY, sum = 0;
#pragma acc loop vector reduction(max:most)
        for (int j = 0; j < words; j++)
            most = fmaxf(most, x[i * words + j]);
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < words; j++)
            sum += expf(x[i * words + j] - most);
        y[i] = logf(sum) + most - x[i * words + label[i] % words];
    }
}

static void routed(int tokens, const float *restrict x, int *restrict expert, float *restrict weight)
{
#pragma acc parallel loop present(x, expert, weight)
    for (int i = 0; i < tokens; i++) {
        int first = 0, second = -1;
        for (int e = 1; e < EXPERTS; e++) {
            if (x[i * EXPERTS + e] > x[i * EXPERTS + first]) {
                second = first;
                first = e;
            } else if (second < 0 || x[i * EXPERTS + e] > x[i * EXPERTS + second])
                second = e;
        }
        float ratio = expf(x[i * EXPERTS + second] - x[i * EXPERTS + first]);
        expert[2 * i] = first;
        expert[2 * i + 1] = second;
        weight[2 * i] = 1 / (1 + ratio);
        weight[2 * i + 1] = ratio / (1 + ratio);
    }
}

static void rounded_rows(int rows, int n, const float *restrict x, int8_t *restrict y, float *restrict scales)
{
#pragma acc parallel loop gang vector_length(256) present(x, y, scales)
    for (int i = 0; i < rows; i++) {
        float most = 0;
#pragma acc loop vector reduction(max:most)
        for (int j = 0; j < n; j++) {
            float size = fabsf(x[i * n + j] - 0.5f);
            if (size > most)
                most = size;
        }
        float scale = most / 127;
        scales[i] = scale;
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            y[i * n + j] = (int8_t)floorf((x[i * n + j] - 0.5f) / scale + 0.5f);
    }
}

static void unpacked(int outputs, int inputs, const unsigned *restrict w, const float *restrict scale, const float *restrict x,
                     float *restrict y)
{
#pragma acc parallel loop gang present(w, scale, x, y)
    for (int i = 0; i < outputs; i++) {
        float sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < inputs / 8; j++) {
            unsigned eight = w[i * (inputs / 8) + j];
            float part = 0;
            for (int k = 0; k < 8; k++)
                part += ((int)(eight >> (4 * k) & 15) - 8) * x[8 * j + k];
            sum += part * scale[i * (inputs / TOGETHER) + j / (TOGETHER / 8)];
        }
        y[i] = sum;
    }
}

static void remembered(int batch, int n, const float *restrict gates, const float *restrict cell, float *restrict next,
                       float *restrict y)
{
#pragma acc parallel loop collapse(2) present(gates, cell, next, y)
    for (int b = 0; b < batch; b++)
        for (int j = 0; j < n; j++) {
            const float *g = gates + (size_t)b * 4 * n;
            float in = logistic(g[j]), forget = logistic(g[n + j] + 1), out = logistic(g[2 * n + j]), add = tanhf(g[3 * n + j]);
            float c = forget * cell[b * n + j] + in * add;
            next[b * n + j] = c;
            y[b * n + j] = out * tanhf(c);
        }
}

static void overlaps(int n, float most, const struct box *restrict boxes, unsigned long long *restrict y)
{
#pragma acc parallel loop collapse(2) present(boxes, y)
    for (int i = 0; i < n; i++)
        for (int w = 0; w < n / 64; w++) {
            unsigned long long bits = 0;
            for (int k = 0; k < 64; k++)
                if (64 * w + k > i && in_common(boxes[i], boxes[64 * w + k]) > most)
                    bits |= 1ull << k;
            y[i * (n / 64) + w] = bits;
        }
}

static void regions(int count, const float *restrict map, const struct box *restrict boxes, float *restrict y)
{
#pragma acc parallel loop gang collapse(2) present(map, boxes, y)
    for (int r = 0; r < count; r++)
        for (int c = 0; c < MAPS; c++) {
#pragma acc loop vector collapse(2)
            for (int p = 0; p < POOLED; p++)
                for (int q = 0; q < POOLED; q++) {
                    float high = (boxes[r].bottom - boxes[r].top) / POOLED, wide = (boxes[r].right - boxes[r].left) / POOLED,
                          sum = 0;
                    for (int i = 0; i < 2; i++)
                        for (int j = 0; j < 2; j++)
                            sum += between(map + c * MAP * MAP, MAP, boxes[r].top + high * (p + 0.25f + 0.5f * i),
                                           boxes[r].left + wide * (q + 0.25f + 0.5f * j));
                    y[((r * MAPS + c) * POOLED + p) * POOLED + q] = 0.25f * sum;
                }
        }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    float *a = malloc(sizeof(float) * N), *b = malloc(sizeof(float) * N), *c = malloc(sizeof(float) * N);
    int *at = malloc(sizeof(int) * N), *column = malloc(sizeof(int) * N), *ints = (int *)c;
    double *wide = malloc(sizeof(double) * (N / 2)), *wide_out = (double *)c;
    long *ends = malloc(sizeof(long) * (SEGMENTS + 1));
    int *rows = malloc(sizeof(int) * (ROWS + 1)), *places = malloc(sizeof(int) * ROWS), diagonals[WIDEST + 1], cases[256],
        order[512];
    float *stars = malloc(sizeof(float) * 3 * STARS), bins[BINS];
    unsigned cipher[256], directions[DIMENSIONS * 32];
    struct node *tree = malloc(sizeof(struct node) * NODES);
    unsigned long long *keys = malloc(sizeof(unsigned long long) * SLOTS);
    struct split *trees = malloc(sizeof(struct split) * (TREES << DEPTH));
    struct box *boxes = malloc(sizeof(struct box) * BOXES);
    struct four *hanging = malloc(sizeof(struct four) * CLOTH * CLOTH);
    uint8_t *machine = malloc(MACHINE * 256);
    fill_numbers(a, b, at, column, wide);
    fill_starts(at, ends, rows);
    fill_diagonals(diagonals, places);
    fill_stars(a, stars, bins);
    fill_cases(cases);
    fill_order(at, order);
    fill_cipher(order, cipher);
    fill_directions(at, directions);
    fill_tree(tree);
    fill_table(at, keys);
    fill_forest(at, a, trees);
    fill_boxes(a, boxes);
    fill_cloth(b, hanging);
    fill_machine(column, machine);
    uint8_t *bytes = (uint8_t *)at, *other_bytes = (uint8_t *)column, *bytes_out = (uint8_t *)c;
    const int plane = (SHIP + 2) * (SHIP + 2), layers = STAR * 4 * STAR * STAR, cube = GRID * GRID * GRID;
    const int shield = SHIELD * SHIELD * SHIELD / 2, earth = EARTH * EARTH * EARTH, small = SMALL * SMALL,
              square = SQUARE * SQUARE;
    struct stride strides = {1, GRID, GRID * GRID};
#pragma acc data copyin(a[0:N], b[0:N], at[0:N], column[0:N], wide[0:N / 2], ends[0:SEGMENTS + 1], \
                        rows[0:ROWS + 1], places[0:ROWS], diagonals, cases, order, stars[0:3 * STARS], bins, cipher, \
                        directions, tree[0:NODES], keys[0:SLOTS], trees[0:TREES << DEPTH], boxes[0:BOXES], \
                        hanging[0:CLOTH * CLOTH], machine[0:MACHINE * 256]) copyout(c[0:N])
    {
        typedef const double plane_of_wide[SHIP + 2];
        CHECKED("collided", float, 4 * GAS * GAS * GAS * OF_CELL, collided(a, c));
        CHECKED("accelerated", double, 2 * plane,
                accelerated(SHIP, 0.1, (plane_of_wide *)wide, (plane_of_wide *)(wide + plane),
                            (plane_of_wide *)(wide + 2 * plane), (plane_of_wide *)(wide + 3 * plane),
                            (plane_of_wide *)(wide + 4 * plane), (plane_of_wide *)(wide + 5 * plane),
                            (plane_of_wide *)(wide + 6 * plane), (plane_of_wide *)(wide + 7 * plane),
                            (double (*)[SHIP + 2])wide_out, (double (*)[SHIP + 2])(wide_out + plane)));
        CHECKED("chebyshev", double, 2 * plane,
                chebyshev(SHIP, 0.3, 0.7, wide, wide + plane, wide + 2 * plane, wide + 3 * plane, wide_out, wide_out + plane));
        CHECKED("potential", double, layers,
                potential(STAR, 2 * STAR, 2 * STAR, (const double (*)[STAR][2 * STAR][2 * STAR])wide,
                          (const double (*)[2 * STAR][2 * STAR])(wide + 7 * layers),
                          (double (*)[2 * STAR][2 * STAR])wide_out));
        CHECKED("smoothed", double, cube,
                smoothed(GRID, strides, wide, wide + cube, wide + 2 * cube, wide + 3 * cube, wide + 4 * cube, wide + 5 * cube,
                         wide + 6 * cube, wide_out));
        typedef const float shielded[SHIELD][SHIELD];
        CHECKED("absorbed", float, 2 * shield,
                absorbed(SHIELD, (shielded *)a, (shielded *)(a + shield), (shielded *)b, (shielded *)(b + shield),
                         a + 2 * shield, a + 3 * shield, b + 2 * shield, (float (*)[SHIELD][SHIELD])c,
                         (float (*)[SHIELD][SHIELD])(c + shield)));
        CHECKED("acoustic", float, earth, acoustic(EARTH, b + earth, a, a + earth, b, c));
        CHECKED("reactions", float, 2 * earth,
                reactions(EARTH, (float (*)[EARTH][EARTH])a, (float (*)[EARTH][EARTH])b, (float (*)[EARTH][EARTH])c,
                          (float (*)[EARTH][EARTH])(c + earth)));
        CHECKED("radiated", double, LEVELS * SKY, radiated(SKY, wide, wide_out));
        CHECKED("scattered_moments", float, MOMENTS * GROUPS * ZONES, scattered_moments(b, a, c));
        CHECKED("covariances", float, VARIABLES * VARIABLES,
                covariances(POINTS, VARIABLES, a, c + VARIABLES * (VARIABLES + POINTS), c + VARIABLES * VARIABLES, c));
        CHECKED("orthogonalised", float, (BASIS + 1) * VECTORS, orthogonalised(BASIS, VECTORS, b, a, c + BASIS * VECTORS, c));
        CHECKED("rank_two", float, square + 2 * SQUARE,
                rank_two(SQUARE, (const float (*)[SQUARE])a, b, b + SQUARE, b + 2 * SQUARE, b + 3 * SQUARE,
                         (float (*)[SQUARE])c, c + square, c + square + SQUARE));
        CHECKED("block_solves", double, FIVE * SYSTEMS,
                block_solves(SYSTEMS, (const double (*)[FIVE][FIVE])wide,
                             (const double (*)[FIVE])(wide + FIVE * FIVE * SYSTEMS), (double (*)[FIVE])wide_out));
        CHECKED("linked", float, 72 * SITES, linked(SITES, (struct site *)a, (struct matrix *)b, (struct site *)c));
        CHECKED("correlated", float, 2 * CHANNELS * STATIONS * STATIONS, correlated((float complex *)a, (float complex *)c));
        CHECKED("segments", double, SEGMENTS, segments(SEGMENTS, ends, wide, wide_out));
        CHECKED("jagged", float, ROWS, jagged(ROWS, diagonals, column, a, b, places, c));
        CHECKED("sparse_by_dense", float, TALL * DENSE,
                sparse_by_dense(TALL, rows, column, a, (const float (*)[DENSE])b, (float (*)[DENSE])c));
        CHECKED("sampled", float, 8 * TALL,
                sampled(TALL, rows, column, (const float (*)[DENSE])a, (const float (*)[DENSE])b, c));
        CHECKED("taps", float, N - 64, taps(N - 64, a, b, c));
        CHECKED("haar", float, square, haar(SQUARE, (const float (*)[SQUARE])a, (float (*)[SQUARE])c));
        CHECKED("integral", unsigned, small, integral(SMALL, bytes, (unsigned *)c + small, (unsigned *)c));
        CHECKED("equalised", unsigned char, square, equalised(square, bytes, ints + square, bytes_out));
        CHECKED("thinned", unsigned char, square, thinned(SQUARE, a, b, bytes_out));
        CHECKED("flow", float, 2 * small, flow(SMALL, a, a + small, a + 2 * small, b, b + small, c, c + small));
        CHECKED("pyramid", float, square / 4, pyramid(SQUARE, a, c));
        CHECKED("denoised", float, NOISY * NOISY, denoised(NOISY, 0.8f, (const float (*)[NOISY])a, (float (*)[NOISY])c));
        CHECKED("weighted_cube", float, earth, weighted_cube(EARTH, a, c));
        CHECKED("motion", int, FRAME * FRAME / (MACRO * MACRO), motion(FRAME, bytes, other_bytes, ints));
        CHECKED("separations", int, BINS + 1, separations(STARS, stars, bins, ints));
        CHECKED("coulomb", float, SLICE * SLICE, coulomb(SLICE, CHARGES, 10.0f / SLICE, (struct four *)a, c));
        CHECKED("charged", float, MESH * MESH * MESH, charged(IONS, a, b, a + IONS, c));
        CHECKED("cloth", float, 4 * CLOTH * CLOTH, cloth(CLOTH, hanging, (struct four *)a, (struct four *)c));
        CHECKED("hit", float, RAYS,
                hit(RAYS, FACES, (const float (*)[3])a, (const float (*)[3])b, (const float (*)[9])(a + 4 * RAYS), c));
        CHECKED("classified", unsigned char, earth, classified(EARTH, 0.4f, a, cases, bytes_out + 128, ints));
        CHECKED("rendered", float, SCREEN * SCREEN, rendered(EARTH, SCREEN, a, c));
        CHECKED("noise", float, small, noise(SMALL, order, c));
        CHECKED("sobol", float, DIMENSIONS * SEQUENCE, sobol(SEQUENCE, DIMENSIONS, directions, c));
        CHECKED("implied", double, OPTIONS, implied(OPTIONS, wide, wide + OPTIONS, wide_out));
        CHECKED("bonds", double, 2 * BONDS, bonds(BONDS, wide, at, wide_out, wide_out + BONDS));
        CHECKED("darts", long long, 1, darts(STREAMS, (long long *)c));
        CHECKED("orbits", double, 2 * ORBITS, orbits(ORBITS, wide, wide + ORBITS, wide_out, wide_out + ORBITS));
        CHECKED("kinetics", double, 3 * VESSELS, kinetics(VESSELS, 16, wide, wide_out));
        CHECKED("opened", float, SHOPS + 1, opened(CUSTOMERS, a, b, b + TRAITS, at, c + 1, bytes_out + 4 * (SHOPS + 1), c));
        CHECKED("hamming", int, PICTURES,
                hamming(PICTURES, KNOWN, (const unsigned (*)[8])at, (const unsigned (*)[8])column, ints));
        CHECKED("forest", float, CASES, forest(CASES, trees, a, c));
        CHECKED("tree_queries", int, QUERIES, tree_queries(QUERIES, tree, at, ints));
        CHECKED("probed", int, PROBES, probed(PROBES, keys, at, ints));
        CHECKED("chosen", int, ROWS, chosen(ROWS, rows, column, ints));
        CHECKED("totals", long long, 2 * KINDS, totals(SALES, at, wide, (struct total *)c));
        CHECKED("automaton", int, 1, automaton(TEXTS, machine, bytes, ints));
        CHECKED("encrypted", unsigned, 4 * SECRETS,
                encrypted(SECRETS, cipher, (unsigned *)column, (unsigned *)at, (unsigned *)c));
        CHECKED("encoded", char, 4 * TRIPLES, encoded(TRIPLES, bytes, (char *)c));
        CHECKED("losses", float, BATCH, losses(BATCH, WORDS, a, at, c));
        CHECKED("routed", float, 2 * TOKENS, routed(TOKENS, a, ints + 2 * TOKENS, c));
        CHECKED("rounded_rows", signed char, BATCH * WORDS, rounded_rows(BATCH, WORDS, a, (int8_t *)c, c + N / 2));
        CHECKED("unpacked", float, OUTPUTS, unpacked(OUTPUTS, INPUTS, (unsigned *)at, b, a, c));
        CHECKED("remembered", float, 2 * BATCH * MEMORY, remembered(BATCH, MEMORY, a, b, c, c + BATCH * MEMORY));
        CHECKED("overlaps", unsigned, BOXES * (BOXES / 32), overlaps(BOXES, 0.3f, boxes, (unsigned long long *)c));
        CHECKED("regions", float, REGIONS * MAPS * POOLED * POOLED, regions(REGIONS, a, boxes, c));
    }
    return 0;
}
