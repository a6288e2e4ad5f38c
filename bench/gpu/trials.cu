// The loops of trials.c in CUDA, as a programmer who knows it writes them first: a thread for each element, a
// block or a warp for a row, shared memory where a block has something in common.
//
//     name median-microseconds checksum
#include "trials.h"
#include "measured.cuh"

__device__ int second_index(int first) { return first + blockIdx.y * blockDim.y + threadIdx.y; }

#define CELL(z, y, x, q) ((((z) * GAS + (y)) * GAS + (x)) * OF_CELL + (q))

__global__ void collided(const float *__restrict__ from, float *__restrict__ to)
{
    int x = thread(), y = second_index(0), z = 1 + blockIdx.z;
    if (x == 0 || y == 0 || x >= GAS - 1 || y >= GAS - 1)
        return;
    float f[19], density = 0, u = 0, v = 0, w = 0;
#pragma unroll
    for (int q = 0; q < 19; q++) {
        f[q] = from[CELL(z - to_z(q), y - to_y(q), x - to_x(q), q)];
        density += f[q];
        u += to_x(q) * f[q];
        v += to_y(q) * f[q];
        w += to_z(q) * f[q];
    }
    if (from[CELL(z, y, x, 19)] > 0.9f) {
#pragma unroll
        for (int q = 0; q < 19; q++)
            to[CELL(z, y, x, back_from(q))] = f[q];
    } else {
        float by = 1 / density;
        u *= by;
        v *= by;
        w *= by;
        float square = 1.5f * (u * u + v * v + w * w);
#pragma unroll
        for (int q = 0; q < 19; q++) {
            float along = 3 * (to_x(q) * u + to_y(q) * v + to_z(q) * w);
            float rest = part_of(q) * density * (1 + along + 0.5f * along * along - square);
            to[CELL(z, y, x, q)] = f[q] - 0.9f * (f[q] - rest);
        }
    }
    to[CELL(z, y, x, 19)] = density;
}

__global__ void accelerated(int n, double dt, const double *__restrict__ density, const double *__restrict__ volume,
                            const double *__restrict__ pressure, const double *__restrict__ viscosity,
                            const double *__restrict__ xarea, const double *__restrict__ yarea, const double *__restrict__ u,
                            const double *__restrict__ v, double *__restrict__ next_u, double *__restrict__ next_v)
{
    int i = 1 + thread(), j = second_index(1), at = j * (n + 2) + i, south = at - n - 2;
    if (i > n || j > n)
        return;
    double mass = (density[south - 1] * volume[south - 1] + density[south] * volume[south] + density[at] * volume[at] +
                   density[at - 1] * volume[at - 1]) *
                      0.25 +
                  0.1;
    double by = 0.5 * dt / mass;
    double p = pressure[at], p_west = pressure[at - 1], p_south = pressure[south], p_corner = pressure[south - 1];
    double q = viscosity[at], q_west = viscosity[at - 1], q_south = viscosity[south], q_corner = viscosity[south - 1];
    next_u[at] = u[at] - by * (xarea[at] * (p - p_west) + xarea[south] * (p_south - p_corner)) -
                 by * (xarea[at] * (q - q_west) + xarea[south] * (q_south - q_corner));
    next_v[at] = v[at] - by * (yarea[at] * (p - p_south) + yarea[at - 1] * (p_west - p_corner)) -
                 by * (yarea[at] * (q - q_south) + yarea[at - 1] * (q_west - q_corner));
}

__global__ void chebyshev_direction(int n, double alpha, double beta, const double *__restrict__ u,
                                    const double *__restrict__ u0, const double *__restrict__ kx, const double *__restrict__ ky,
                                    double *__restrict__ p)
{
    int i = 1 + thread(), j = second_index(1), at = j * (n + 2) + i, row = n + 2;
    if (i > n || j > n)
        return;
    double w = (1 + ky[at + row] + ky[at] + kx[at + 1] + kx[at]) * u[at] - (ky[at + row] * u[at + row] + ky[at] * u[at - row]) -
               (kx[at + 1] * u[at + 1] + kx[at] * u[at - 1]);
    p[at] = alpha * u0[at] + beta * (u0[at] - w);
}

__global__ void chebyshev_step(int n, const double *__restrict__ u, const double *__restrict__ p, double *__restrict__ next)
{
    int i = 1 + thread(), j = second_index(1), at = j * (n + 2) + i;
    if (i <= n && j <= n)
        next[at] = u[at] + p[at];
}

__global__ void potential(int nz, int ny, int nx, const double *__restrict__ a, const double *__restrict__ x,
                          double *__restrict__ y)
{
    int i = 1 + thread(), j = second_index(1), k = 1 + blockIdx.z, layer = ny * nx, all = nz * layer,
        at = k * layer + j * nx + i;
    if (i >= nx - 1 || j >= ny - 1)
        return;
    y[at] = a[at] * x[at - layer] + a[all + at] * x[at - nx] + a[2 * all + at] * x[at - 1] + a[3 * all + at] * x[at] +
            a[4 * all + at] * x[at + 1] + a[5 * all + at] * x[at + nx] + a[6 * all + at] * x[at + layer];
}

__global__ void smoothed(int n, const double *__restrict__ x, const double *__restrict__ rhs, const double *__restrict__ alpha,
                         const double *__restrict__ east, const double *__restrict__ north, const double *__restrict__ up,
                         const double *__restrict__ lambda, double *__restrict__ y)
{
    int i = 1 + thread(), j = second_index(1), k = 1 + blockIdx.z, layer = n * n, at = k * layer + j * n + i;
    if (i >= n - 1 || j >= n - 1)
        return;
    double here = x[at];
    double ax = 0.7 * alpha[at] * here - 1.3 * (east[at + 1] * (x[at + 1] - here) + east[at] * (x[at - 1] - here) +
                                                north[at + n] * (x[at + n] - here) + north[at] * (x[at - n] - here) +
                                                up[at + layer] * (x[at + layer] - here) + up[at] * (x[at - layer] - here));
    y[at] = here + 0.1 * lambda[at] * (rhs[at] - ax);
}

__global__ void absorbed(int n, const float *__restrict__ ex, const float *__restrict__ ey, const float *__restrict__ bza,
                         const float *__restrict__ hz, const float *__restrict__ cx, const float *__restrict__ cy,
                         const float *__restrict__ cz, float *__restrict__ next_hz, float *__restrict__ next_bza)
{
    int ix = thread(), iy = second_index(0), iz = blockIdx.z, at = (iz * n + iy) * n + ix;
    if (ix >= n - 1 || iy >= n - 1)
        return;
    float curl = ex[at] - ex[at + n] + ey[at + 1] - ey[at], of_y = cy[iy] + 0.5f, of_x = cx[ix] + 0.5f;
    float tmp = (0.4f / of_y) * bza[at] - (0.7f / of_y) * curl;
    next_hz[at] = (0.3f / of_x) * hz[at] + (0.2f * cz[iz] / of_x) * tmp - (0.2f * (1 - cz[iz]) / of_x) * bza[at];
    next_bza[at] = tmp;
}

__global__ void acoustic(int n, const float *__restrict__ w, const float *__restrict__ now, const float *__restrict__ before,
                         const float *__restrict__ speed, float *__restrict__ next)
{
    int i = 8 + thread(), j = second_index(8), k = 8 + blockIdx.z, at = (k * n + j) * n + i;
    if (i >= n - 8 || j >= n - 8)
        return;
    float sum = 3 * w[0] * now[at];
#pragma unroll
    for (int r = 1; r <= 8; r++)
        sum +=
            w[r] * (now[at + r] + now[at - r] + now[at + r * n] + now[at - r * n] + now[at + r * n * n] + now[at - r * n * n]);
    next[at] = 2 * now[at] - before[at] + 0.1f * speed[at] * sum;
}

__global__ void reactions(int n, const float *__restrict__ u, const float *__restrict__ v, float *__restrict__ next_u,
                          float *__restrict__ next_v)
{
    int k = 1 + thread(), j = second_index(1), i = 1 + blockIdx.z, at = (i * n + j) * n + k;
    if (k >= n - 1 || j >= n - 1)
        return;
    float p = u[at], q = v[at], rate = p * q * q;
    float du = u[at - n * n] + u[at + n * n] + u[at - n] + u[at + n] + u[at - 1] + u[at + 1] - 6 * p;
    float dv = v[at - n * n] + v[at + n * n] + v[at - n] + v[at + n] + v[at - 1] + v[at + 1] - 6 * q;
    next_u[at] = p + 0.16f * du - rate + 0.035f * (1 - p);
    next_v[at] = q + 0.08f * dv + rate - 0.1f * q;
}

__global__ void radiated(int columns, const double *__restrict__ depth, double *__restrict__ net)
{
    int i = thread();
    for (int k = 0; k < LEVELS; k++)
        net[k * columns + i] = 0;
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

__global__ void scattered_moments(const float *__restrict__ of, const float *__restrict__ psi, float *__restrict__ phi)
{
    int z = thread(), g = blockIdx.y, m = blockIdx.z;
    float sum = 0;
    for (int d = 0; d < DIRECTIONS; d++)
        sum += of[m * DIRECTIONS + d] * psi[(d * GROUPS + g) * ZONES + z];
    phi[(m * GROUPS + g) * ZONES + z] = sum;
}

/// The sum of a column by a block of 32 rows and columns; it is whole in the first row.
__device__ float sum_of_column(float value)
{
    __shared__ float parts[32][33];
    parts[threadIdx.y][threadIdx.x] = value;
    __syncthreads();
    for (int by = 16; by > 0; by /= 2) {
        if (threadIdx.y < by)
            parts[threadIdx.y][threadIdx.x] += parts[threadIdx.y + by][threadIdx.x];
        __syncthreads();
    }
    return parts[0][threadIdx.x];
}

__global__ void means(int n, int m, const float *__restrict__ x, float *__restrict__ mean)
{
    int j = thread();
    float sum = 0;
    for (int i = threadIdx.y; i < n; i += 32)
        sum += x[i * m + j];
    sum = sum_of_column(sum);
    if (threadIdx.y == 0)
        mean[j] = sum / n;
}

__global__ void centred_points(int m, const float *__restrict__ x, const float *__restrict__ mean, float *__restrict__ y)
{
    int j = thread(), i = blockIdx.y;
    y[i * m + j] = x[i * m + j] - mean[j];
}

__global__ void covariances(int n, int m, const float *__restrict__ x, float *__restrict__ y)
{
    int q = thread(), p = second_index(0);
    if (q < p)
        return;
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i * m + p] * x[i * m + q];
    y[p * m + q] = y[q * m + p] = sum / (n - 1);
}

__global__ void orthogonalised(int rows, int columns, const float *__restrict__ q, const float *__restrict__ x,
                               float *__restrict__ r, float *__restrict__ y)
{
    int j = thread();
    float sum = 0;
    for (int i = 0; i < rows; i++)
        sum += q[i] * x[i * columns + j];
    for (int i = 0; i < rows; i++)
        y[i * columns + j] = x[i * columns + j] - q[i] * sum * (3.0f / BASIS);
    r[j] = sum;
}

__global__ void two_products(int n, const float *__restrict__ a, const float *__restrict__ u, const float *__restrict__ v,
                             const float *__restrict__ p, const float *__restrict__ q, float *__restrict__ b)
{
    int j = thread(), i = blockIdx.y;
    b[i * n + j] = a[i * n + j] + u[i] * v[j] + p[i] * q[j];
}

__global__ void by_columns(int n, const float *__restrict__ b, const float *__restrict__ v, const float *__restrict__ p,
                           float *__restrict__ x)
{
    int i = thread();
    float sum = 0;
    for (int j = threadIdx.y; j < n; j += 32)
        sum += b[j * n + i] * p[j];
    sum = sum_of_column(sum);
    if (threadIdx.y == 0)
        x[i] = v[i] + 0.001f * sum;
}

__global__ void by_rows(int n, const float *__restrict__ b, const float *__restrict__ x, float *__restrict__ w)
{
    float sum = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        sum += b[blockIdx.x * n + j] * x[j];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        w[blockIdx.x] = 1.5f * sum;
}

__global__ void block_solves(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ x)
{
    int s = thread();
    double lhs[FIVE][FIVE], r[FIVE];
#pragma unroll
    for (int i = 0; i < FIVE; i++) {
#pragma unroll
        for (int j = 0; j < FIVE; j++)
            lhs[i][j] = a[(s * FIVE + i) * FIVE + j] + (i == j ? 4 : 0);
        r[i] = b[s * FIVE + i];
    }
#pragma unroll
    for (int p = 0; p < FIVE; p++) {
        double by = 1 / lhs[p][p];
#pragma unroll
        for (int j = p + 1; j < FIVE; j++)
            lhs[p][j] *= by;
        r[p] *= by;
#pragma unroll
        for (int i = 0; i < FIVE; i++)
            if (i != p) {
                double factor = lhs[i][p];
#pragma unroll
                for (int j = p + 1; j < FIVE; j++)
                    lhs[i][j] -= factor * lhs[p][j];
                r[i] -= factor * r[p];
            }
    }
#pragma unroll
    for (int i = 0; i < FIVE; i++)
        x[s * FIVE + i] = r[i];
}

/// A thread for each number of a product of matrices, 36 a site.
__global__ void linked(const site *__restrict__ a, const matrix *__restrict__ b, site *__restrict__ c)
{
    int t = thread(), s = t / 36, j = t % 36 / 9, k = t % 9 / 3, l = t % 3;
    float re = 0, im = 0;
#pragma unroll
    for (int m = 0; m < 3; m++) {
        number p = a[s].link[j].e[k][m], q = b[j].e[m][l];
        re += p.re * q.re - p.im * q.im;
        im += p.re * q.im + p.im * q.re;
    }
    c[s].link[j].e[k][l].re = re;
    c[s].link[j].e[k][l].im = im;
}

__global__ void correlated(const float2 *__restrict__ x, float2 *__restrict__ y)
{
    int j = threadIdx.x, i = blockIdx.x, f = blockIdx.y;
    if (j > i)
        return;
    float2 sum = make_float2(0, 0);
    for (int t = 0; t < SAMPLES; t++) {
        float2 p = x[(f * SAMPLES + t) * STATIONS + i], q = x[(f * SAMPLES + t) * STATIONS + j];
        sum.x += p.x * q.x + p.y * q.y;
        sum.y += p.y * q.x - p.x * q.y;
    }
    y[(f * STATIONS + i) * STATIONS + j] = sum;
}

__global__ void segments(const long *__restrict__ start, const double *__restrict__ x, double *__restrict__ y)
{
    long end = start[blockIdx.x + 1];
    double sum = 0;
    for (long i = start[blockIdx.x] + threadIdx.x; i < end; i += blockDim.x)
        sum += x[i] * x[i];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        y[blockIdx.x] = sqrt(sum);
}

__global__ void jagged(const int *__restrict__ diagonals, const int *__restrict__ column, const float *__restrict__ value,
                       const float *__restrict__ x, const int *__restrict__ places, float *__restrict__ y)
{
    int i = thread();
    float sum = 0;
    for (int d = 0; d < WIDEST; d++) {
        int first = diagonals[d];
        if (i >= diagonals[d + 1] - first)
            break;
        sum += value[first + i] * x[column[first + i] & (ROWS - 1)];
    }
    y[places[i]] = sum;
}

/// A warp has a row.
__global__ void sparse_by_dense(const int *__restrict__ start, const int *__restrict__ column, const float *__restrict__ value,
                                const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread() / DENSE, j = threadIdx.x % DENSE, end = start[i + 1];
    float sum = 0;
    for (int k = start[i]; k < end; k++)
        sum += value[k] * x[(column[k] & (TALL - 1)) * DENSE + j];
    y[i * DENSE + j] = sum;
}

/// A warp has a row, and its lanes a number of each vector.
__global__ void sampled(const int *__restrict__ start, const int *__restrict__ column, const float *__restrict__ p,
                        const float *__restrict__ q, float *__restrict__ y)
{
    int i = thread() / DENSE, lane = threadIdx.x % DENSE, end = start[i + 1];
    float own = p[i * DENSE + lane];
    for (int k = start[i]; k < end; k++) {
        float sum = sum_of_lanes(own * q[(column[k] & (TALL - 1)) * DENSE + lane], WARP);
        if (lane == 0)
            y[k] = sum;
    }
}

__global__ void taps(int n, const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < TAPS; k++)
        sum += w[k] * x[i + k];
    y[i] = sum;
}

__global__ void haar(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread(), i = second_index(0), half = n / 2;
    float2 up = ((const float2 *)x)[2 * i * half + j], low = ((const float2 *)x)[(2 * i + 1) * half + j];
    y[i * n + j] = 0.5f * (up.x + up.y + low.x + low.y);
    y[i * n + j + half] = 0.5f * (up.x - up.y + low.x - low.y);
    y[(i + half) * n + j] = 0.5f * (up.x + up.y - low.x - low.y);
    y[(i + half) * n + j + half] = 0.5f * (up.x - up.y - low.x + low.y);
}

/// The sum over the threads of a block up to each.
__device__ unsigned prefix_of_block(unsigned value)
{
    __shared__ unsigned parts[WARP];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    for (int by = 1; by < WARP; by *= 2) {
        unsigned other = __shfl_up_sync(~0u, value, by);
        if (lane >= by)
            value += other;
    }
    __syncthreads();
    if (lane == WARP - 1)
        parts[warp] = value;
    __syncthreads();
    for (int w = 0; w < warp; w++)
        value += parts[w];
    return value;
}

/// A block has a row, part after part.
__global__ void sums_of_rows(int n, const unsigned char *__restrict__ x, unsigned *__restrict__ rows)
{
    __shared__ unsigned last;
    unsigned before = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        unsigned sum = before + prefix_of_block(x[blockIdx.x * n + j]);
        rows[blockIdx.x * n + j] = sum;
        if (threadIdx.x == blockDim.x - 1)
            last = sum;
        __syncthreads();
        before = last;
    }
}

__global__ void sums_of_columns(int n, const unsigned *__restrict__ rows, unsigned *__restrict__ y)
{
    int j = thread();
    unsigned sum = 0;
    for (int i = 0; i < n; i++) {
        sum += rows[i * n + j];
        y[i * n + j] = sum;
    }
}

__global__ void brightnesses(int n, const unsigned char *__restrict__ x, int *__restrict__ counts)
{
    __shared__ int own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = thread(); i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[x[i]], 1);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

__global__ void sums_of_counts(int *counts) { counts[threadIdx.x] = prefix_of_block(counts[threadIdx.x]); }

__global__ void equalised(int n, const unsigned char *__restrict__ x, const int *__restrict__ counts,
                          unsigned char *__restrict__ y)
{
    int i = thread();
    y[i] = (unsigned char)(255.0f * counts[x[i]] / n);
}

__global__ void thinned(int n, const float *__restrict__ gx, const float *__restrict__ gy, unsigned char *__restrict__ y)
{
    int j = 1 + thread(), i = second_index(1), at = i * n + j, by;
    if (i >= n - 1 || j >= n - 1)
        return;
    float u = gx[at] - 0.5f, v = gy[at] - 0.5f, size = u * u + v * v;
    if (fabsf(v) < 0.4142f * fabsf(u))
        by = 1;
    else if (fabsf(u) < 0.4142f * fabsf(v))
        by = n;
    else
        by = u * v > 0 ? n + 1 : n - 1;
    float pu = gx[at + by] - 0.5f, pv = gy[at + by] - 0.5f, qu = gx[at - by] - 0.5f, qv = gy[at - by] - 0.5f;
    bool less = size < pu * pu + pv * pv || size < qu * qu + qv * qv;
    y[at] = less ? 0 : size > 0.3f ? 255 : size > 0.1f ? 128 : 0;
}

__device__ float around(const float *f, int n, int at)
{
    return (f[at - 1] + f[at + 1] + f[at - n] + f[at + n]) / 6 +
           (f[at - n - 1] + f[at - n + 1] + f[at + n - 1] + f[at + n + 1]) / 12;
}

__global__ void flow(int n, const float *__restrict__ ix, const float *__restrict__ iy, const float *__restrict__ it,
                     const float *__restrict__ u, const float *__restrict__ v, float *__restrict__ next_u,
                     float *__restrict__ next_v)
{
    int j = 1 + thread(), i = second_index(1), at = i * n + j;
    if (i >= n - 1 || j >= n - 1)
        return;
    float mean_u = around(u, n, at), mean_v = around(v, n, at);
    float by = (ix[at] * mean_u + iy[at] * mean_v + it[at]) / (0.25f + ix[at] * ix[at] + iy[at] * iy[at]);
    next_u[at] = mean_u - ix[at] * by;
    next_v[at] = mean_v - iy[at] * by;
}

__global__ void pyramid(int n, const float *__restrict__ x, float *__restrict__ y)
{
    const float w[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
    int j = thread(), i = second_index(0);
    float sum = 0;
#pragma unroll
    for (int di = -2; di <= 2; di++)
#pragma unroll
        for (int dj = -2; dj <= 2; dj++) {
            int r = min(max(2 * i + di, 0), n - 1), s = min(max(2 * j + dj, 0), n - 1);
            sum += w[di + 2] * w[dj + 2] * x[r * n + s];
        }
    y[i * (n / 2) + j] = sum;
}

__global__ void denoised(int n, float h, const float *__restrict__ x, float *__restrict__ y)
{
    const int edge = ASKED + PATCH;
    int j = edge + thread(), i = second_index(edge), at = i * n + j;
    if (i >= n - edge || j >= n - edge)
        return;
    float sum = 0, weights = 0;
    for (int p = -ASKED; p <= ASKED; p++)
        for (int q = -ASKED; q <= ASKED; q++) {
            int other = at + p * n + q;
            float distance = 0;
#pragma unroll
            for (int r = -PATCH; r <= PATCH; r++)
#pragma unroll
                for (int s = -PATCH; s <= PATCH; s++) {
                    float d = x[at + r * n + s] - x[other + r * n + s];
                    distance += d * d;
                }
            float w = expf(-distance * h);
            sum += w * x[other];
            weights += w;
        }
    y[at] = sum / weights;
}

__global__ void weighted_cube(int n, const float *__restrict__ A, float *__restrict__ B)
{
    const float c11 = 2, c21 = 5, c31 = -8, c12 = -3, c22 = 6, c32 = -9, c13 = 4, c23 = 7, c33 = 10;
    int k = 1 + thread(), j = second_index(1), i = 1 + blockIdx.z, at = (i * n + j) * n + k, west = at - n * n,
        east = at + n * n;
    if (k >= n - 1 || j >= n - 1)
        return;
    B[at] = (c11 + c21 + c31) * A[west - n - 1] + (c13 + c23 + c33) * A[east - n - 1] + c12 * A[at - n] + c22 * A[at] +
            c32 * A[at + n] + c11 * A[west - n + 1] + c13 * A[east - n + 1] + c21 * A[west + 1] + c23 * A[east + 1] +
            c31 * A[west + n + 1] + c33 * A[east + n + 1];
}

/// A block has a block of the picture and its surroundings in shared memory, a thread one way to move it.
__global__ void motion(int n, const unsigned char *__restrict__ now, const unsigned char *__restrict__ before,
                       int *__restrict__ best)
{
    const int window = MACRO + 2 * MOVED;
    __shared__ unsigned char block[MACRO][MACRO], area[window][window];
    __shared__ int least;
    int q = 1 + blockIdx.x, p = 1 + blockIdx.y, t = threadIdx.y * blockDim.x + threadIdx.x, all = blockDim.x * blockDim.y;
    for (int k = t; k < MACRO * MACRO; k += all)
        block[k / MACRO][k % MACRO] = now[(p * MACRO + k / MACRO) * n + q * MACRO + k % MACRO];
    for (int k = t; k < window * window; k += all)
        area[k / window][k % window] = before[(p * MACRO + k / window - MOVED) * n + q * MACRO + k % window - MOVED];
    if (t == 0)
        least = 1 << 30;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < MACRO; i++)
        for (int j = 0; j < MACRO; j++)
            sum += abs(block[i][j] - area[threadIdx.y + i][threadIdx.x + j]);
    atomicMin(&least, sum << 12 | threadIdx.y << 6 | threadIdx.x);
    __syncthreads();
    if (t == 0)
        best[p * (n / MACRO) + q] = least;
}

/// A block has as many stars as threads on either side, and its own counts.
__global__ void separations(int n, const float *__restrict__ stars, const float *__restrict__ bins, int *__restrict__ counts)
{
    __shared__ float x[THREADS], y[THREADS], z[THREADS], of_bins[BINS];
    __shared__ int own[BINS + 1];
    int i = thread(), j = blockIdx.y * blockDim.x + threadIdx.x;
    x[threadIdx.x] = stars[j];
    y[threadIdx.x] = stars[n + j];
    z[threadIdx.x] = stars[2 * n + j];
    if (threadIdx.x < BINS)
        of_bins[threadIdx.x] = bins[threadIdx.x];
    if (threadIdx.x <= BINS)
        own[threadIdx.x] = 0;
    __syncthreads();
    float px = stars[i], py = stars[n + i], pz = stars[2 * n + i];
    for (int k = 0; k < THREADS; k++) {
        float cosine = px * x[k] + py * y[k] + pz * z[k];
        int low = 0, high = BINS;
        while (low < high) {
            int middle = (low + high) / 2;
            if (cosine < of_bins[middle])
                low = middle + 1;
            else
                high = middle;
        }
        atomicAdd(&own[low], 1);
    }
    __syncthreads();
    if (threadIdx.x <= BINS)
        atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

__global__ void coulomb(int n, int charges, float spacing, const float4 *__restrict__ q, float *__restrict__ y)
{
    int j = thread(), i = second_index(0);
    float sum = 0, px = spacing * j, py = spacing * i;
    for (int k = 0; k < charges; k++) {
        float4 one = q[k];
        float dx = px - 10 * one.x, dy = py - 10 * one.y, dz = one.z + 0.1f;
        sum += (one.w - 0.3f) * rsqrtf(dx * dx + dy * dy + dz * dz);
    }
    y[i * n + j] = sum;
}

__global__ void charged(const float *__restrict__ px, const float *__restrict__ py, const float *__restrict__ pz, float *y)
{
    int p = thread();
    float x = px[p] * (MESH - 1), v = py[p] * (MESH - 1), z = pz[p] * (MESH - 1);
    int i = (int)x, j = (int)v, k = (int)z;
    x -= i;
    v -= j;
    z -= k;
    float wx[2] = {1 - x, x}, wy[2] = {1 - v, v}, wz[2] = {1 - z, z};
#pragma unroll
    for (int dk = 0; dk < 2; dk++)
#pragma unroll
        for (int dj = 0; dj < 2; dj++)
#pragma unroll
            for (int di = 0; di < 2; di++)
                atomicAdd(&y[((k + dk) * MESH + j + dj) * MESH + i + di], wz[dk] * wy[dj] * wx[di]);
}

__global__ void cloth(int n, const float4 *__restrict__ p, const float4 *__restrict__ v, float4 *__restrict__ y)
{
    int j = thread(), i = second_index(0);
    float4 here = p[i * n + j], speed = v[i * n + j];
    float fx = 0, fy = -9.8f * here.w, fz = 0;
#pragma unroll
    for (int di = -1; di <= 1; di++)
#pragma unroll
        for (int dj = -1; dj <= 1; dj++) {
            if ((di == 0 && dj == 0) || i + di < 0 || i + di >= n || j + dj < 0 || j + dj >= n)
                continue;
            float4 other = p[(i + di) * n + j + dj];
            four one = pull({here.x, here.y, here.z, 0}, {other.x, other.y, other.z, 0}, di != 0 && dj != 0 ? 1.41421356f : 1);
            fx += one.x;
            fy += one.y;
            fz += one.z;
        }
    float by = 0.001f / here.w;
    y[i * n + j] = make_float4(speed.x + by * fx, speed.y + by * fy, speed.z + by * fz, fx + fz);
}

__global__ void hit(int faces, const float *__restrict__ from, const float *__restrict__ to, const float *__restrict__ face,
                    float *__restrict__ y)
{
    int i = thread();
    float o[3] = {from[3 * i], from[3 * i + 1], from[3 * i + 2] - 2};
    float d[3] = {to[3 * i] - 0.5f, to[3 * i + 1] - 0.5f, to[3 * i + 2] + 0.5f}, nearest = 1e30f;
    for (int k = 0; k < faces; k++)
        nearest = meets(o, d, face + 9 * k, nearest);
    y[i] = nearest < 1e30f ? nearest : -1;
}

__global__ void classified(int n, float level, const float *__restrict__ volume, const int *__restrict__ cases,
                           unsigned char *__restrict__ y, int *triangles)
{
    int i = thread(), j = blockIdx.y, k = blockIdx.z, at = (k * n + j) * n + i, all = 0;
    if (i < n - 1) {
        const float *v = volume + at, *w = v + n * n;
        int index = (v[0] < level) | (v[1] < level) << 1 | (v[n + 1] < level) << 2 | (v[n] < level) << 3 | (w[0] < level) << 4 |
                    (w[1] < level) << 5 | (w[n + 1] < level) << 6 | (w[n] < level) << 7;
        y[at] = index;
        all = cases[index];
    }
    all = sum_of_block(all);
    if (threadIdx.x == 0)
        atomicAdd(triangles, all);
}

__global__ void rendered(int n, int screen, const float *__restrict__ volume, float *__restrict__ y)
{
    int j = thread(), i = second_index(0);
    float x = (j + 0.5f) * (n - 2) / screen, v = (i + 0.5f) * (n - 2) / screen, light = 0, through = 1;
    for (int step = 0; step < n - 1 && through > 0.02f; step++) {
        float at = within(volume, n, x, v, step), opaque = at > 0.6f ? 0.3f * (at - 0.6f) : 0;
        light += through * opaque * at;
        through *= 1 - opaque;
    }
    y[i * screen + j] = light;
}

__global__ void noise(int n, const int *__restrict__ table, float *__restrict__ y)
{
    int j = thread(), i = blockIdx.y;
    float sum = 0, size = 1, scale = 16.0f / n;
    for (int octave = 0; octave < 4; octave++) {
        sum += size * noise_at(table, j * scale + 0.37f, i * scale + 0.71f);
        size *= 0.5f;
        scale *= 2;
    }
    y[i * n + j] = sum;
}

__global__ void sobol(unsigned n, const unsigned *__restrict__ directions, float *__restrict__ y)
{
    __shared__ unsigned own[32];
    if (threadIdx.x < 32)
        own[threadIdx.x] = directions[blockIdx.y * 32 + threadIdx.x];
    __syncthreads();
    unsigned i = thread(), gray = i ^ i >> 1, x = 0;
    for (int bit = 0; gray != 0; bit++, gray >>= 1)
        if (gray & 1)
            x ^= own[bit];
    y[blockIdx.y * n + i] = x * 2.3283064e-10f;
}

__global__ void implied(int n, const double *__restrict__ spread, const double *__restrict__ money, double *__restrict__ y)
{
    int i = thread();
    double strike = 80 + 40 * money[i], years = 0.5 + money[n + i];
    double want = price_of_call(100, strike, 0.02, years, 0.1 + 0.5 * spread[i]), low = 0.01, high = 1.5, guess = 0.3;
    for (int round = 0; round < 60 && high - low > 1e-9; round++) {
        double price = price_of_call(100, strike, 0.02, years, guess);
        if (price > want)
            high = guess;
        else
            low = guess;
        double one = (log(100 / strike) + (0.02 + 0.5 * guess * guess) * years) / (guess * sqrt(years));
        double vega = 39.894228040143268 * sqrt(years) * exp(-0.5 * one * one), next = guess - (price - want) / vega;
        if (fabs(next - guess) < 1e-10)
            break;
        guess = next > low && next < high ? next : 0.5 * (low + high);
    }
    y[i] = guess;
}

__global__ void bonds(int n, const double *__restrict__ rate, const int *__restrict__ coupons, double *__restrict__ price,
                      double *__restrict__ duration)
{
    int b = thread(), last = 4 + coupons[b] % 56;
    double sum = 0, moment = 0, yield = 0.01 + 0.05 * rate[b], coupon = 1 + 4 * rate[n + b];
    for (int k = 1; k <= last; k++) {
        double years = 0.5 * k, now = ((k == last ? 100 : 0) + coupon) * pow(1 + yield, -years);
        sum += now;
        moment += years * now;
    }
    price[b] = sum;
    duration[b] = moment / sum;
}

__global__ void darts(long long *y)
{
    int hits = 0;
    unsigned x = scattered(thread() + 1) | 1;
    for (int k = 0; k < DARTS; k++) {
        x = next_random(x);
        float u = (x >> 8) * 5.9604645e-8f;
        x = next_random(x);
        float v = (x >> 8) * 5.9604645e-8f;
        if (u * u + v * v < 1)
            hits++;
    }
    hits = sum_of_block(hits);
    if (threadIdx.x == 0)
        atomicAdd((unsigned long long *)y, (unsigned long long)hits);
}

__global__ void orbits(const double *__restrict__ mean, const double *__restrict__ of_shape, double *__restrict__ x,
                       double *__restrict__ y)
{
    int i = thread(), rounds = 0;
    double m = 6.283185307179586 * mean[i], e = 0.9 * of_shape[i], angle = e > 0.6 ? 3.141592653589793 : m, change = 1;
    while (fabs(change) > 1e-12 && rounds++ < 30) {
        double s, c;
        sincos(angle, &s, &c);
        change = (angle - e * s - m) / (1 - e * c);
        angle -= change;
    }
    x[i] = cos(angle) - e;
    y[i] = sqrt(1 - e * e) * sin(angle);
}

__global__ void kinetics(int steps, const double *__restrict__ begin, double *__restrict__ y)
{
    int v = thread();
    double a = 1, b = 1e-5, c = 0, h = 1e-2 * (1 + begin[v]);
    for (int step = 0; step < steps; step++) {
        double p = a, q = b, r = c;
        for (int round = 0; round < 3; round++) {
            double f = p - a + h * (0.04 * p - 1e4 * q * r), g = q - b - h * (0.04 * p - 1e4 * q * r - 3e7 * q * q);
            double k = r - c - h * 3e7 * q * q;
            double m[3][4] = {{1 + 0.04 * h, -h * 1e4 * r, -h * 1e4 * q, -f},
                              {-0.04 * h, 1 + h * (1e4 * r + 6e7 * q), h * 1e4 * q, -g},
                              {0, -h * 6e7 * q, 1, -k}};
#pragma unroll
            for (int s = 0; s < 3; s++)
#pragma unroll
                for (int t = s + 1; t < 3; t++) {
                    double factor = m[t][s] / m[s][s];
#pragma unroll
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

__global__ void opened(const float *__restrict__ traits, const float *__restrict__ candidate, const float *__restrict__ cost,
                       const int *__restrict__ shop, float *__restrict__ lower, unsigned char *__restrict__ moves, float *gain)
{
    __shared__ float of_candidate[TRAITS];
    if (threadIdx.x < TRAITS)
        of_candidate[threadIdx.x] = candidate[threadIdx.x];
    __syncthreads();
    int i = thread();
    float distance = 0, now = 10 * cost[i], sum = 0;
    for (int d = 0; d < TRAITS; d++) {
        float by = traits[i * TRAITS + d] - of_candidate[d];
        distance += by * by;
    }
    moves[i] = distance < now;
    if (distance < now)
        sum = distance - now;
    else
        atomicAdd(&lower[shop[i] % SHOPS], now - distance);
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        atomicAdd(gain, sum);
}

__device__ int least_of_block(int value)
{
    __shared__ int least;
    if (threadIdx.x == 0)
        least = 0x7fffffff;
    for (int by = WARP / 2; by > 0; by /= 2)
        value = min(value, __shfl_xor_sync(~0u, value, by));
    __syncthreads();
    if (threadIdx.x % WARP == 0)
        atomicMin(&least, value);
    __syncthreads();
    return least;
}

__global__ void hamming(int known, const unsigned *__restrict__ asked, const unsigned *__restrict__ words, int *__restrict__ y)
{
    unsigned own[8];
    int least = 0x7fffffff;
#pragma unroll
    for (int w = 0; w < 8; w++)
        own[w] = asked[blockIdx.x * 8 + w];
    for (int k = threadIdx.x; k < known; k += blockDim.x) {
        int bits = 0;
#pragma unroll
        for (int w = 0; w < 8; w++)
            bits += __popc(own[w] ^ words[k * 8 + w]);
        least = min(least, bits << 16 | k);
    }
    least = least_of_block(least);
    if (threadIdx.x == 0)
        y[blockIdx.x] = least;
}

__global__ void forest(const split *__restrict__ trees, const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread();
    float sum = 0;
    for (int t = 0; t < TREES; t++) {
        const split *tree = trees + (t << DEPTH);
        int at = 1;
        for (int d = 0; d < DEPTH - 1; d++) {
            split s = tree[at];
            at = 2 * at + (x[i * FEATURES + s.feature] > s.threshold);
        }
        sum += tree[at].threshold;
    }
    y[i] = sum / TREES;
}

__global__ void tree_queries(const node *__restrict__ tree, const int *__restrict__ wanted, int *__restrict__ y)
{
    int i = thread(), key = wanted[i] & ((1 << 20) - 1), at = 0;
    for (int floor = 0; floor < FLOORS; floor++) {
        const node *own = tree + at;
        int k = 0;
        while (k < FANOUT - 1 && own->keys[k] <= key)
            k++;
        at = own->first < 0 ? -1 - own->first + k : own->first + k;
    }
    y[i] = at;
}

__global__ void probed(const unsigned long long *__restrict__ keys, const int *__restrict__ wanted, int *__restrict__ y)
{
    int i = thread(), found = -1;
    unsigned long long key = ((unsigned long long)wanted[2 * i] << 24 ^ wanted[2 * i + 1]) | 1;
    for (unsigned slot = (unsigned)(key * 0x9e3779b97f4a7c15ull >> 42);; slot++) {
        unsigned long long have = keys[slot % SLOTS];
        if (have == key)
            found = slot % SLOTS;
        if (have == key || have == 0)
            break;
    }
    y[i] = found;
}

__global__ void chosen(const int *__restrict__ start, const int *__restrict__ column, int *__restrict__ y)
{
    int i = thread(), first = 1, end = start[i + 1];
    unsigned own = scattered(i);
    for (int k = start[i]; k < end && first; k++) {
        int j = (i + 1 + column[k] % 4096) & (ROWS - 1);
        unsigned other = scattered(j);
        if (other > own || (other == own && j > i))
            first = 0;
    }
    y[i] = first;
}

__global__ void totals(const int *__restrict__ kind, const double *__restrict__ price, total *__restrict__ y)
{
    int i = thread(), k = kind[i] & (KINDS - 1);
    atomicAdd((unsigned long long *)&y[k].cents, (unsigned long long)(100 * price[i]));
    atomicAdd((unsigned long long *)&y[k].count, 1ull);
}

__global__ void automaton(const unsigned char *__restrict__ machine, const unsigned char *__restrict__ text,
                          int *__restrict__ y)
{
    __shared__ unsigned char own[MACHINE * 256];
    for (int k = threadIdx.x; k < MACHINE * 256; k += blockDim.x)
        own[k] = machine[k];
    __syncthreads();
    int i = thread(), state = 0, found = 0;
    for (int k = 0; k < OF_TEXT; k++) {
        state = own[state << 8 | text[i * OF_TEXT + k]];
        found += state >= MACHINE / 2;
    }
    found = sum_of_block(found);
    if (threadIdx.x == 0)
        atomicAdd(y, found);
}

__device__ unsigned turned(unsigned x, int by) { return x << by | x >> (32 - by); }

__device__ unsigned column_of(const unsigned *table, unsigned a, unsigned b, unsigned c, unsigned d)
{
    return table[a & 255] ^ turned(table[b >> 8 & 255], 8) ^ turned(table[c >> 16 & 255], 16) ^ turned(table[d >> 24], 24);
}

__global__ void encrypted(const unsigned *__restrict__ table, const unsigned *__restrict__ key, const uint4 *__restrict__ x,
                          uint4 *__restrict__ y)
{
    __shared__ unsigned own[256];
    own[threadIdx.x] = table[threadIdx.x];
    __syncthreads();
    int i = thread();
    uint4 s = x[i];
    s = make_uint4(s.x ^ key[0], s.y ^ key[1], s.z ^ key[2], s.w ^ key[3]);
    for (int round = 1; round < 10; round++)
        s = make_uint4(
            column_of(own, s.x, s.y, s.z, s.w) ^ key[4 * round], column_of(own, s.y, s.z, s.w, s.x) ^ key[4 * round + 1],
            column_of(own, s.z, s.w, s.x, s.y) ^ key[4 * round + 2], column_of(own, s.w, s.x, s.y, s.z) ^ key[4 * round + 3]);
    y[i] = s;
}

__device__ unsigned char letter_of(int six)
{
    return six < 26 ? 'A' + six : six < 52 ? 'a' + six - 26 : six < 62 ? '0' + six - 52 : six == 62 ? '+' : '/';
}

__global__ void encoded(const unsigned char *__restrict__ x, uchar4 *__restrict__ y)
{
    int i = thread();
    unsigned three = x[3 * i] << 16 | x[3 * i + 1] << 8 | x[3 * i + 2];
    y[i] = make_uchar4(letter_of(three >> 18), letter_of(three >> 12 & 63), letter_of(three >> 6 & 63), letter_of(three & 63));
}

__global__ void losses(int words, const float *__restrict__ x, const int *__restrict__ label, float *__restrict__ y)
{
    const float *row = x + (long)blockIdx.x * words;
    float most = -INFINITY, sum = 0;
    for (int j = threadIdx.x; j < words; j += blockDim.x)
        most = fmaxf(most, row[j]);
    most = most_of_block(most);
    for (int j = threadIdx.x; j < words; j += blockDim.x)
        sum += expf(row[j] - most);
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        y[blockIdx.x] = logf(sum) + most - row[label[blockIdx.x] % words];
}

__device__ bool before(float x, int i, float y, int j) { return x > y || (x == y && i < j); }

/// A warp has a token: its lanes bring the best two of their own together.
__global__ void routed(const float *__restrict__ x, int *__restrict__ expert, float *__restrict__ weight)
{
    int i = thread() / WARP, lane = threadIdx.x % WARP, first = lane, second = lane + WARP;
    float of_first = x[i * EXPERTS + first], of_second = x[i * EXPERTS + second];
    if (before(of_second, second, of_first, first)) {
        float value = of_first;
        int index = first;
        of_first = of_second;
        first = second;
        of_second = value;
        second = index;
    }
    for (int by = WARP / 2; by > 0; by /= 2) {
        float p = __shfl_xor_sync(~0u, of_first, by), q = __shfl_xor_sync(~0u, of_second, by);
        int of_p = __shfl_xor_sync(~0u, first, by), of_q = __shfl_xor_sync(~0u, second, by);
        if (before(p, of_p, of_first, first)) {
            bool own = before(of_first, first, q, of_q);
            of_second = own ? of_first : q;
            second = own ? first : of_q;
            of_first = p;
            first = of_p;
        } else if (before(p, of_p, of_second, second)) {
            of_second = p;
            second = of_p;
        }
    }
    if (lane == 0) {
        float ratio = expf(of_second - of_first);
        expert[2 * i] = first;
        expert[2 * i + 1] = second;
        weight[2 * i] = 1 / (1 + ratio);
        weight[2 * i + 1] = ratio / (1 + ratio);
    }
}

__global__ void rounded_rows(int n, const float *__restrict__ x, signed char *__restrict__ y, float *__restrict__ scales)
{
    const float *row = x + (long)blockIdx.x * n;
    float most = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        most = fmaxf(most, fabsf(row[j] - 0.5f));
    float scale = most_of_block(most) / 127;
    if (threadIdx.x == 0)
        scales[blockIdx.x] = scale;
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        y[(long)blockIdx.x * n + j] = (signed char)floorf((row[j] - 0.5f) / scale + 0.5f);
}

__global__ void unpacked(int inputs, const unsigned *__restrict__ w, const float *__restrict__ scale,
                         const float *__restrict__ x, float *__restrict__ y)
{
    float sum = 0;
    for (int j = threadIdx.x; j < inputs / 8; j += blockDim.x) {
        unsigned eight = w[blockIdx.x * (inputs / 8) + j];
        float part = 0;
#pragma unroll
        for (int k = 0; k < 8; k++)
            part += ((int)(eight >> (4 * k) & 15) - 8) * x[8 * j + k];
        sum += part * scale[blockIdx.x * (inputs / TOGETHER) + j / (TOGETHER / 8)];
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum;
}

__global__ void remembered(int n, const float *__restrict__ gates, const float *__restrict__ cell, float *__restrict__ next,
                           float *__restrict__ y)
{
    int j = thread(), b = blockIdx.y;
    const float *g = gates + (long)b * 4 * n;
    float in = logistic(g[j]), forget = logistic(g[n + j] + 1), out = logistic(g[2 * n + j]), add = tanhf(g[3 * n + j]);
    float c = forget * cell[b * n + j] + in * add;
    next[b * n + j] = c;
    y[b * n + j] = out * tanhf(c);
}

/// A block has 64 boxes and compares them with 64 others, which are in shared memory.
__global__ void overlaps(int n, float most, const box *__restrict__ boxes, unsigned long long *__restrict__ y)
{
    __shared__ box others[64];
    int w = blockIdx.x, i = blockIdx.y * 64 + threadIdx.x;
    others[threadIdx.x] = boxes[64 * w + threadIdx.x];
    __syncthreads();
    box own = boxes[i];
    unsigned long long bits = 0;
    for (int k = max(0, i + 1 - 64 * w); k < 64; k++)
        if (in_common(own, others[k]) > most)
            bits |= 1ull << k;
    y[i * (n / 64) + w] = bits;
}

__global__ void regions(int count, const float *__restrict__ map, const box *__restrict__ boxes, float *__restrict__ y)
{
    int t = thread(), q = t % POOLED, p = t / POOLED % POOLED, c = t / (POOLED * POOLED) % MAPS,
        r = t / (POOLED * POOLED * MAPS);
    if (r >= count)
        return;
    box own = boxes[r];
    float high = (own.bottom - own.top) / POOLED, wide = (own.right - own.left) / POOLED, sum = 0;
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 2; j++)
            sum += between(map + c * MAP * MAP, MAP, own.top + high * (p + 0.25f + 0.5f * i),
                           own.left + wide * (q + 0.25f + 0.5f * j));
    y[t] = 0.25f * sum;
}

/// Blocks of 32 by 8 threads for a plane of so many cells, and a number of planes.
static dim3 planes(int across, int along, int count = 1) { return dim3((across + 31) / 32, (along + 7) / 8, count); }

int main()
{
    std::vector<float> numbers(N), others(N), of_stars(3 * STARS), of_bins(BINS);
    std::vector<int> indices(N), of_columns(N), of_rows(ROWS + 1), of_places(ROWS), of_diagonals(WIDEST + 1), of_cases(256);
    std::vector<int> of_order(512);
    std::vector<double> doubles(N / 2);
    std::vector<long> of_segments(SEGMENTS + 1);
    std::vector<unsigned> of_cipher(256), of_directions(DIMENSIONS * 32);
    std::vector<node> of_tree(NODES);
    std::vector<unsigned long long> of_keys(SLOTS);
    std::vector<split> of_forest(TREES << DEPTH);
    std::vector<box> of_boxes(BOXES);
    std::vector<four> of_cloth(CLOTH * CLOTH);
    std::vector<unsigned char> of_machine(MACHINE * 256);
    fill_numbers(numbers.data(), others.data(), indices.data(), of_columns.data(), doubles.data());
    fill_starts(indices.data(), of_segments.data(), of_rows.data());
    fill_diagonals(of_diagonals.data(), of_places.data());
    fill_stars(numbers.data(), of_stars.data(), of_bins.data());
    fill_cases(of_cases.data());
    fill_order(indices.data(), of_order.data());
    fill_cipher(of_order.data(), of_cipher.data());
    fill_directions(indices.data(), of_directions.data());
    fill_tree(of_tree.data());
    fill_table(indices.data(), of_keys.data());
    fill_forest(indices.data(), numbers.data(), of_forest.data());
    fill_boxes(numbers.data(), of_boxes.data());
    fill_cloth(others.data(), of_cloth.data());
    fill_machine(of_columns.data(), of_machine.data());
    float *a = copy(numbers), *b = copy(others), *stars = copy(of_stars), *bins = copy(of_bins);
    int *at = copy(indices), *column = copy(of_columns), *rows = copy(of_rows), *places = copy(of_places);
    int *diagonals = copy(of_diagonals), *cases = copy(of_cases), *order = copy(of_order);
    double *wide = copy(doubles);
    long *ends = copy(of_segments);
    unsigned *cipher = copy(of_cipher), *directions = copy(of_directions);
    node *tree = copy(of_tree);
    unsigned long long *keys = copy(of_keys);
    split *trees = copy(of_forest);
    box *boxes = copy(of_boxes);
    float4 *hanging = (float4 *)copy(of_cloth);
    unsigned char *machine = copy(of_machine);
    check(cudaMalloc(&c, 4L * N));
    double *out = (double *)c;
    int *ints = (int *)c;
    unsigned char *bytes = (unsigned char *)at, *other_bytes = (unsigned char *)column, *bytes_out = (unsigned char *)c;
    const int plane = (SHIP + 2) * (SHIP + 2), layers = STAR * 4 * STAR * STAR, cube = GRID * GRID * GRID;
    const int shield = SHIELD * SHIELD * SHIELD / 2, earth = EARTH * EARTH * EARTH, small = SMALL * SMALL,
              square = SQUARE * SQUARE;
    const int T = THREADS;
    dim3 threads(32, 8), tall(32, 32);
    measure<float>("collided", 4 * GAS * GAS * GAS * OF_CELL,
                   [=] { collided<<<dim3(1, GAS / 4, 4 * GAS - 2), dim3(GAS, 4)>>>(a, c); });
    measure<double>("accelerated", 2 * plane, [=] {
        accelerated<<<planes(SHIP, SHIP), threads>>>(SHIP, 0.1, wide, wide + plane, wide + 2 * plane, wide + 3 * plane,
                                                     wide + 4 * plane, wide + 5 * plane, wide + 6 * plane, wide + 7 * plane,
                                                     out, out + plane);
    });
    measure<double>("chebyshev", 2 * plane, [=] {
        chebyshev_direction<<<planes(SHIP, SHIP), threads>>>(SHIP, 0.3, 0.7, wide, wide + plane, wide + 2 * plane,
                                                             wide + 3 * plane, out);
        chebyshev_step<<<planes(SHIP, SHIP), threads>>>(SHIP, wide, out, out + plane);
    });
    measure<double>("potential", layers, [=] {
        potential<<<planes(2 * STAR, 2 * STAR, STAR - 2), threads>>>(STAR, 2 * STAR, 2 * STAR, wide, wide + 7 * layers, out);
    });
    measure<double>("smoothed", cube, [=] {
        smoothed<<<planes(GRID, GRID, GRID - 2), threads>>>(GRID, wide, wide + cube, wide + 2 * cube, wide + 3 * cube,
                                                            wide + 4 * cube, wide + 5 * cube, wide + 6 * cube, out);
    });
    measure<float>("absorbed", 2 * shield, [=] {
        absorbed<<<planes(SHIELD, SHIELD, SHIELD / 2), threads>>>(SHIELD, a, a + shield, b, b + shield, a + 2 * shield,
                                                                  a + 3 * shield, b + 2 * shield, c, c + shield);
    });
    measure<float>("acoustic", earth, [=] {
        acoustic<<<planes(EARTH - 16, EARTH - 16, EARTH - 16), threads>>>(EARTH, b + earth, a, a + earth, b, c);
    });
    measure<float>("reactions", 2 * earth,
                   [=] { reactions<<<planes(EARTH, EARTH, EARTH - 2), threads>>>(EARTH, a, b, c, c + earth); });
    measure<double>("radiated", LEVELS * SKY, [=] { radiated<<<SKY / 128, 128>>>(SKY, wide, out); });
    measure<float>("scattered_moments", MOMENTS * GROUPS * ZONES,
                   [=] { scattered_moments<<<dim3(ZONES / 128, GROUPS, MOMENTS), 128>>>(b, a, c); });
    measure<float>("covariances", VARIABLES * VARIABLES, [=] {
        float *mean = c + VARIABLES * (VARIABLES + POINTS), *centred = c + VARIABLES * VARIABLES;
        means<<<VARIABLES / 32, tall>>>(POINTS, VARIABLES, a, mean);
        centred_points<<<dim3(VARIABLES / 32, POINTS), 32>>>(VARIABLES, a, mean, centred);
        covariances<<<dim3(VARIABLES / 32, VARIABLES / 8), threads>>>(POINTS, VARIABLES, centred, c);
    });
    measure<float>("orthogonalised", (BASIS + 1) * VECTORS,
                   [=] { orthogonalised<<<VECTORS / 128, 128>>>(BASIS, VECTORS, b, a, c + BASIS * VECTORS, c); });
    measure<float>("rank_two", square + 2 * SQUARE, [=] {
        float *x = c + square, *v = b + SQUARE, *p = b + 2 * SQUARE;
        two_products<<<dim3(SQUARE / T, SQUARE), T>>>(SQUARE, a, b, v, p, b + 3 * SQUARE, c);
        by_columns<<<SQUARE / 32, tall>>>(SQUARE, c, v, p, x);
        by_rows<<<SQUARE, T>>>(SQUARE, c, x, x + SQUARE);
    });
    measure<double>("block_solves", FIVE * SYSTEMS,
                    [=] { block_solves<<<SYSTEMS / 64, 64>>>(wide, wide + FIVE * FIVE * SYSTEMS, out); });
    measure<float>("linked", 72 * SITES, [=] { linked<<<36 * SITES / T, T>>>((site *)a, (matrix *)b, (site *)c); });
    measure<float>("correlated", 2 * CHANNELS * STATIONS * STATIONS,
                   [=] { correlated<<<dim3(STATIONS, CHANNELS), STATIONS>>>((float2 *)a, (float2 *)c); });
    measure<double>("segments", SEGMENTS, [=] { segments<<<SEGMENTS, 128>>>(ends, wide, out); });
    measure<float>("jagged", ROWS, [=] { jagged<<<ROWS / T, T>>>(diagonals, column, a, b, places, c); });
    measure<float>("sparse_by_dense", TALL * DENSE, [=] { sparse_by_dense<<<TALL * DENSE / T, T>>>(rows, column, a, b, c); });
    measure<float>("sampled", 8 * TALL, [=] { sampled<<<TALL * DENSE / T, T>>>(rows, column, a, b, c); });
    measure<float>("taps", N - 64, [=] { taps<<<N / T, T>>>(N - 64, a, b, c); });
    measure<float>("haar", square, [=] { haar<<<planes(SQUARE / 2, SQUARE / 2), threads>>>(SQUARE, a, c); });
    measure<unsigned>("integral", small, [=] {
        sums_of_rows<<<SMALL, min(T, (int)SMALL)>>>(SMALL, bytes, (unsigned *)c + small);
        sums_of_columns<<<SMALL / 32, 32>>>(SMALL, (unsigned *)c + small, (unsigned *)c);
    });
    measure<unsigned char>("equalised", square, [=] {
        check(cudaMemsetAsync(ints + square, 0, 4 * 256));
        brightnesses<<<1024, 256>>>(square, bytes, ints + square);
        sums_of_counts<<<1, 256>>>(ints + square);
        equalised<<<square / T, T>>>(square, bytes, ints + square, bytes_out);
    });
    measure<unsigned char>("thinned", square, [=] { thinned<<<planes(SQUARE, SQUARE), threads>>>(SQUARE, a, b, bytes_out); });
    measure<float>("flow", 2 * small, [=] {
        flow<<<planes(SMALL, SMALL), threads>>>(SMALL, a, a + small, a + 2 * small, b, b + small, c, c + small);
    });
    measure<float>("pyramid", square / 4, [=] { pyramid<<<planes(SQUARE / 2, SQUARE / 2), threads>>>(SQUARE, a, c); });
    measure<float>("denoised", NOISY * NOISY, [=] { denoised<<<planes(NOISY, NOISY), threads>>>(NOISY, 0.8f, a, c); });
    measure<float>("weighted_cube", earth, [=] { weighted_cube<<<planes(EARTH, EARTH, EARTH - 2), threads>>>(EARTH, a, c); });
    measure<int>("motion", FRAME * FRAME / (MACRO * MACRO), [=] {
        motion<<<dim3(FRAME / MACRO - 2, FRAME / MACRO - 2), dim3(2 * MOVED + 1, 2 * MOVED + 1)>>>(FRAME, bytes, other_bytes,
                                                                                                   ints);
    });
    measure<int>("separations", BINS + 1, [=] {
        check(cudaMemsetAsync(c, 0, 4 * (BINS + 1)));
        separations<<<dim3(STARS / T, STARS / T), T>>>(STARS, stars, bins, ints);
    });
    measure<float>("coulomb", SLICE * SLICE,
                   [=] { coulomb<<<planes(SLICE, SLICE), threads>>>(SLICE, CHARGES, 10.0f / SLICE, (float4 *)a, c); });
    measure<float>("charged", MESH * MESH * MESH, [=] { charged<<<IONS / T, T>>>(a, b, a + IONS, c); });
    measure<float>("cloth", 4 * CLOTH * CLOTH,
                   [=] { cloth<<<planes(CLOTH, CLOTH), threads>>>(CLOTH, hanging, (float4 *)a, (float4 *)c); });
    measure<float>("hit", RAYS, [=] { hit<<<RAYS / 128, 128>>>(FACES, a, b, a + 4 * RAYS, c); });
    measure<unsigned char>("classified", earth, [=] {
        classified<<<dim3(1, EARTH - 1, EARTH - 1), EARTH>>>(EARTH, 0.4f, a, cases, bytes_out + 128, ints);
    });
    measure<float>("rendered", SCREEN * SCREEN, [=] { rendered<<<planes(SCREEN, SCREEN), threads>>>(EARTH, SCREEN, a, c); });
    measure<float>("noise", small, [=] { noise<<<dim3(SMALL / 128, SMALL), 128>>>(SMALL, order, c); });
    measure<float>("sobol", DIMENSIONS * SEQUENCE,
                   [=] { sobol<<<dim3(SEQUENCE / T, DIMENSIONS), T>>>(SEQUENCE, directions, c); });
    measure<double>("implied", OPTIONS, [=] { implied<<<OPTIONS / 128, 128>>>(OPTIONS, wide, wide + OPTIONS, out); });
    measure<double>("bonds", 2 * BONDS, [=] { bonds<<<BONDS / 128, 128>>>(BONDS, wide, at, out, out + BONDS); });
    measure<long long>("darts", 1, [=] { darts<<<STREAMS / T, T>>>((long long *)c); });
    measure<double>("orbits", 2 * ORBITS, [=] { orbits<<<ORBITS / 128, 128>>>(wide, wide + ORBITS, out, out + ORBITS); });
    measure<double>("kinetics", 3 * VESSELS, [=] { kinetics<<<VESSELS / 128, 128>>>(16, wide, out); });
    measure<float>("opened", SHOPS + 1,
                   [=] { opened<<<CUSTOMERS / T, T>>>(a, b, b + TRAITS, at, c + 1, bytes_out + 4 * (SHOPS + 1), c); });
    measure<int>("hamming", PICTURES, [=] { hamming<<<PICTURES, T>>>(KNOWN, (unsigned *)at, (unsigned *)column, ints); });
    measure<float>("forest", CASES, [=] { forest<<<CASES / 128, 128>>>(trees, a, c); });
    measure<int>("tree_queries", QUERIES, [=] { tree_queries<<<QUERIES / T, T>>>(tree, at, ints); });
    measure<int>("probed", PROBES, [=] { probed<<<PROBES / T, T>>>(keys, at, ints); });
    measure<int>("chosen", ROWS, [=] { chosen<<<ROWS / T, T>>>(rows, column, ints); });
    measure<long long>("totals", 2 * KINDS, [=] { totals<<<SALES / T, T>>>(at, wide, (total *)c); });
    measure<int>("automaton", 1, [=] { automaton<<<TEXTS / 128, 128>>>(machine, bytes, ints); });
    measure<unsigned>("encrypted", 4 * SECRETS,
                      [=] { encrypted<<<SECRETS / 256, 256>>>(cipher, (unsigned *)column, (uint4 *)at, (uint4 *)c); });
    measure<signed char>("encoded", 4 * TRIPLES, [=] { encoded<<<TRIPLES / T, T>>>(bytes, (uchar4 *)c); });
    measure<float>("losses", BATCH, [=] { losses<<<BATCH, T>>>(WORDS, a, at, c); });
    measure<float>("routed", 2 * TOKENS, [=] { routed<<<TOKENS * WARP / T, T>>>(a, ints + 2 * TOKENS, c); });
    measure<signed char>("rounded_rows", BATCH * WORDS,
                         [=] { rounded_rows<<<BATCH, T>>>(WORDS, a, (signed char *)c, c + N / 2); });
    measure<float>("unpacked", OUTPUTS, [=] { unpacked<<<OUTPUTS, T>>>(INPUTS, (unsigned *)at, b, a, c); });
    measure<float>("remembered", 2 * BATCH * MEMORY,
                   [=] { remembered<<<dim3(MEMORY / T, BATCH), T>>>(MEMORY, a, b, c, c + BATCH * MEMORY); });
    measure<unsigned>("overlaps", BOXES * (BOXES / 32),
                      [=] { overlaps<<<dim3(BOXES / 64, BOXES / 64), 64>>>(BOXES, 0.3f, boxes, (unsigned long long *)c); });
    measure<float>("regions", REGIONS * MAPS * POOLED * POOLED,
                   [=] { regions<<<REGIONS * MAPS * POOLED * POOLED / T + 1, T>>>(REGIONS, a, boxes, c); });
    return 0;
}
