// The loops of fields.c in CUDA, as a programmer who knows it writes them first: a thread for each element, column or
// row, a block where many sum up or share, shared memory where every textbook uses it.
//
//     name median-microseconds checksum
#include "fields.h"
#include "measured.cuh"

__global__ void hopped(const link *__restrict__ u, const colours *__restrict__ v, colours *__restrict__ y)
{
    int site = thread(), x = site % ACROSS, j = site / ACROSS % ACROSS, z = site / (ACROSS * ACROSS) % TIMES;
    int t = site / (ACROSS * ACROSS * TIMES);
    colours sum = {};
#pragma unroll
    for (int d = 0; d < 4; d++) {
        int ahead = beside(t, z, j, x, d, 1), behind = beside(t, z, j, x, d, -1);
        add_product(&u[4 * site + d], &v[ahead], &sum);
        add_adjoint_product(&u[4 * behind + d], &v[behind], &sum);
    }
    y[site] = sum;
}

__global__ void plaquettes(const link *__restrict__ u, double *__restrict__ y)
{
    int site = thread(), x = site % ACROSS, j = site / ACROSS % ACROSS, z = site / (ACROSS * ACROSS) % TIMES;
    int t = site / (ACROSS * ACROSS * TIMES);
    float sum = 0;
    for (int mu = 0; mu < 3; mu++) {
        int along = beside(t, z, j, x, mu, 1);
        for (int nu = mu + 1; nu < 4; nu++) {
            int aside = beside(t, z, j, x, nu, 1);
            link one = link_product(u[4 * site + mu], u[4 * along + nu]);
            link other = link_product(u[4 * site + nu], u[4 * aside + mu]);
            sum += trace_with_adjoint(one, other);
        }
    }
    double all = sum_of_block<double>(sum);
    if (threadIdx.x == 0)
        atomicAdd(y, all);
}

__global__ void flips(int n, float beta, unsigned moment, const signed char *__restrict__ own,
                      const signed char *__restrict__ others, signed char *__restrict__ y)
{
    int half = n / 2, j = thread(), i = blockIdx.y;
    int north = i > 0 ? i - 1 : n - 1, south = i < n - 1 ? i + 1 : 0, at = i * half + j;
    int side = i % 2 == 0 ? (j > 0 ? j - 1 : half - 1) : (j < half - 1 ? j + 1 : 0);
    int sum = (others[north * half + j] & 1) + (others[south * half + j] & 1) + (others[at] & 1) + (others[i * half + side] & 1);
    int spin = own[at] >> 3 & 1, energy = (2 * spin - 1) * (2 * sum - 4);
    if (chance(at, moment) < expf(-2 * beta * energy))
        spin = 1 - spin;
    y[at] = spin;
}

__global__ void precession(int n, const float *__restrict__ sx, const float *__restrict__ sy, const float *__restrict__ sz,
                           float *__restrict__ y)
{
    int i = threadIdx.x, j = blockIdx.x * blockDim.y + threadIdx.y, k = blockIdx.y, at = (k * n + j) * n + i, all = 2 * n * n * n;
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

__device__ double2 plus_times(double2 sum, amplitude m, double2 v)
{
    return make_double2(sum.x + m.re * v.x - m.im * v.y, sum.y + m.re * v.y + m.im * v.x);
}

__global__ void one_qubit(int qubit, gate g, const double2 *__restrict__ x, double2 *__restrict__ y)
{
    int i = thread(), bit = 1 << qubit, low = (i & ~(bit - 1)) << 1 | (i & (bit - 1)), high = low | bit;
    double2 p = x[low], q = x[high], none = make_double2(0, 0);
    y[low] = plus_times(plus_times(none, g.m[0][0], p), g.m[0][1], q);
    y[high] = plus_times(plus_times(none, g.m[1][0], p), g.m[1][1], q);
}

__global__ void two_qubits(const float2 *__restrict__ matrix, const float2 *__restrict__ x, float2 *__restrict__ y)
{
    int i = thread(), first = i >> LOW << (LOW + 1) | (i & ((1 << LOW) - 1));
    first = first >> HIGH << (HIGH + 1) | (first & ((1 << HIGH) - 1));
    int at[4] = {first, first | 1 << LOW, first | 1 << HIGH, first | 1 << LOW | 1 << HIGH};
    float2 v[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        v[k] = x[at[k]];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float2 sum = make_float2(0, 0);
#pragma unroll
        for (int l = 0; l < 4; l++) {
            float2 m = matrix[4 * k + l];
            sum.x += m.x * v[l].x - m.y * v[l].y;
            sum.y += m.x * v[l].y + m.y * v[l].x;
        }
        y[at[k]] = sum;
    }
}

__global__ void mixed_columns(int columns, int levels, double dt, const double *__restrict__ k_of, const double *__restrict__ x,
                              double *__restrict__ gamma, double *__restrict__ y)
{
    int i = thread();
    if (i >= columns)
        return;
    double above = dt * (k_of[i] + 0.1), by = 1 / (1 + above), last = x[i] * by, factor = above * by;
    gamma[i] = factor;
    y[i] = last;
    for (int k = 1; k < levels; k++) {
        int at = k * columns + i;
        double below = above;
        above = k < levels - 1 ? dt * (k_of[at] + 0.1) : 0;
        by = 1 / (1 + below + above - below * factor);
        gamma[at] = factor = above * by;
        y[at] = last = (x[at] + below * last) * by;
    }
    for (int k = levels - 2; k >= 0; k--) {
        int at = k * columns + i;
        y[at] = last = y[at] + gamma[at] * last;
    }
}

__global__ void rain(int columns, int levels, const float *__restrict__ water, const float *__restrict__ density,
                     const float *__restrict__ warmth, float *__restrict__ left, float *__restrict__ fallen)
{
    int i = thread();
    if (i >= columns)
        return;
    float flux = 0;
    for (int k = levels - 1; k >= 0; k--) {
        int at = k * columns + i;
        float d = 0.3f + density[at], q = 2 * water[at] - 0.6f, kelvin = 250 + 50 * warmth[at];
        float rain_water = fmaxf(q, 0), speed = rain_water > 1e-3f ? fall_speed(rain_water, d) : 0;
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

__global__ void weights_above(int nz, int layer, const float *__restrict__ density, float *__restrict__ pressure)
{
    int i = thread();
    float sum = 0;
    for (int k = 0; k < nz; k++) {
        float own = 9.81f * density[k * layer + i];
        sum += own;
        pressure[k * layer + i] = sum - 0.5f * own;
    }
}

__global__ void pushed_by_pressure(int ny, int nx, const float *__restrict__ density, const float *__restrict__ pressure,
                                   float *__restrict__ u, float *__restrict__ v)
{
    int i = thread(), j = blockIdx.y * blockDim.y + threadIdx.y, at = (blockIdx.z * ny + j) * nx + i;
    if (i >= nx - 1 || j >= ny - 1)
        return;
    u[at] = 0.5f - 0.01f * (pressure[at + 1] - pressure[at]) / (0.5f + density[at] + density[at + 1]);
    v[at] = 0.5f - 0.01f * (pressure[at + nx] - pressure[at]) / (0.5f + density[at] + density[at + nx]);
}

__global__ void tracers(int nz, int n, const float *__restrict__ u, const float *__restrict__ v, const float *__restrict__ w,
                        const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread(), j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z + 2, at = (k * n + j) * n + i;
    if (i < 2 || i >= n - 2 || j < 2 || j >= n - 2)
        return;
    float east = through_face(u, x, at, 1) - through_face(u, x, at - 1, 1);
    float north = through_face(v, x, at, n) - through_face(v, x, at - n, n);
    float up = through_face(w, x, at, n * n) - through_face(w, x, at - n * n, n * n);
    y[at] = x[at] - 0.3f * (east + north + up);
}

__global__ void solidified(int n, const float *__restrict__ phase, const float *__restrict__ warmth, float *__restrict__ next)
{
    int j = thread(), i = blockIdx.y * blockDim.y + threadIdx.y, at = i * n + j;
    if (i < 1 || i >= n - 1 || j < 1 || j >= n - 1)
        return;
    float p = phase[at], west = phase[at - 1], east = phase[at + 1], north = phase[at - n], south = phase[at + n];
    float eps = 0.1f * (1 + 0.02f * cosf(6 * (atan2f(south - north, east - west) - 0.2f)));
    float m = 0.2864789f * atanf(10 * (1 - warmth[at]));
    next[at] = p + 0.3f * (eps * eps * (east + west + south + north - 4 * p) + p * (1 - p) * (p - 0.5f + m));
}

__global__ void densities(int n, const int *__restrict__ start, const float4 *__restrict__ p, float *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    float4 own = p[i];
    int cx = min((int)own.x, CELLS - 1), cy = min((int)own.y, CELLS - 1), cz = min((int)own.z, CELLS - 1);
    float sum = 0;
    for (int z = max(cz - 1, 0); z <= min(cz + 1, CELLS - 1); z++)
        for (int v = max(cy - 1, 0); v <= min(cy + 1, CELLS - 1); v++)
            for (int x = max(cx - 1, 0); x <= min(cx + 1, CELLS - 1); x++) {
                int cell = (z * CELLS + v) * CELLS + x, end = start[cell + 1];
                for (int j = start[cell]; j < end; j++) {
                    float4 other = p[j];
                    float dx = own.x - other.x, dy = own.y - other.y, dz = own.z - other.z;
                    float square = dx * dx + dy * dy + dz * dz;
                    if (square < 1)
                        sum += other.w * kernel_of(sqrtf(square));
                }
            }
    y[i] = sum;
}

__global__ void bends(int n, const triple *__restrict__ angles, const float (*__restrict__ at)[3], float (*__restrict__ force)[3])
{
    int m = thread();
    if (m >= n)
        return;
    triple a = angles[m];
    float p[3], q[3], pp = 0.1f, qq = 0.1f, pq = 0;
    for (int d = 0; d < 3; d++) {
        p[d] = at[a.i][d] - at[a.j][d];
        q[d] = at[a.k][d] - at[a.j][d];
        pp += p[d] * p[d];
        qq += q[d] * q[d];
        pq += p[d] * q[d];
    }
    float by = rsqrtf(pp * qq), cosine = pq * by, strength = -2 * (cosine + 0.33f);
    for (int d = 0; d < 3; d++) {
        float fi = strength * (q[d] * by - cosine * p[d] / pp), fk = strength * (p[d] * by - cosine * q[d] / qq);
        atomicAdd(&force[a.i][d], fi);
        atomicAdd(&force[a.k][d], fk);
        atomicAdd(&force[a.j][d], -fi - fk);
    }
}

__global__ void along_rows(int lines, int n, const double *__restrict__ x, double *__restrict__ factor, double *__restrict__ y)
{
    int l = thread();
    if (l >= lines)
        return;
    const double *of = x + l * n;
    double *f = factor + l * n, *to = y + l * n, by = 0.4, last = of[0] * 0.5;
    f[0] = by;
    to[0] = last;
    for (int i = 1; i < n; i++) {
        by = 1 / (2.5 - by);
        f[i] = by;
        to[i] = last = (of[i] + last) * by;
    }
    for (int i = n - 2; i >= 0; i--)
        to[i] = last = to[i] + f[i] * last;
}

/// A block has an element: what its nodes share is in shared memory.
__global__ void spectral(const double *__restrict__ derivative, const double *__restrict__ metric, const double *__restrict__ u,
                         double *__restrict__ w)
{
    __shared__ double d[NODES][NODES], own[NODES][NODES][NODES], along_r[NODES][NODES][NODES], along_s[NODES][NODES][NODES],
        along_t[NODES][NODES][NODES];
    int i = threadIdx.x, j = threadIdx.y, k = threadIdx.z, node = (k * NODES + j) * NODES + i, e = blockIdx.x;
    if (k == 0)
        d[j][i] = derivative[j * NODES + i];
    own[k][j][i] = u[e * CUBED + node];
    __syncthreads();
    double r = 0, s = 0, t = 0;
#pragma unroll
    for (int l = 0; l < NODES; l++) {
        r += d[i][l] * own[k][j][l];
        s += d[j][l] * own[k][l][i];
        t += d[k][l] * own[l][j][i];
    }
    const double *g = metric + 6 * CUBED * e + node;
    along_r[k][j][i] = g[0] * r + g[CUBED] * s + g[2 * CUBED] * t;
    along_s[k][j][i] = g[CUBED] * r + g[3 * CUBED] * s + g[4 * CUBED] * t;
    along_t[k][j][i] = g[2 * CUBED] * r + g[4 * CUBED] * s + g[5 * CUBED] * t;
    __syncthreads();
    double sum = 0;
#pragma unroll
    for (int l = 0; l < NODES; l++)
        sum += d[l][i] * along_r[k][j][l] + d[l][j] * along_s[k][l][i] + d[l][k] * along_t[l][j][i];
    w[e * CUBED + node] = sum;
}

__global__ void assembled(int n, const int *__restrict__ corners, const double *__restrict__ x, const double *__restrict__ y,
                          const double *__restrict__ u, double *__restrict__ r)
{
    int e = thread();
    if (e >= n)
        return;
    int p[3];
    double b[3], c[3], xs[3], ys[3], us[3];
#pragma unroll
    for (int k = 0; k < 3; k++) {
        p[k] = corners[3 * e + k];
        xs[k] = x[p[k]];
        ys[k] = y[p[k]];
        us[k] = u[p[k]];
    }
#pragma unroll
    for (int k = 0; k < 3; k++) {
        b[k] = ys[(k + 1) % 3] - ys[(k + 2) % 3];
        c[k] = xs[(k + 2) % 3] - xs[(k + 1) % 3];
    }
    double area = 0.5 * fabs(b[0] * c[1] - b[1] * c[0]), by = 1 / (4 * area);
#pragma unroll
    for (int k = 0; k < 3; k++) {
        double sum = area / 12 * us[k];
#pragma unroll
        for (int l = 0; l < 3; l++)
            sum += ((b[k] * b[l] + c[k] * c[l]) * by + area / 12) * us[l];
        atomicAdd(&r[p[k]], sum);
    }
}

/// A block has a chain, a thread a state of it; the scores are in shared memory.
__global__ void viterbi(const int *__restrict__ seen, const float *__restrict__ change, const float *__restrict__ emits,
                        unsigned char *__restrict__ back, float *__restrict__ best)
{
    __shared__ float score[2][STATES];
    int m = blockIdx.x, s = threadIdx.x;
    score[0][s] = -emits[s];
    __syncthreads();
    for (int t = 1; t < MOMENTS; t++) {
        int symbol = seen[m * MOMENTS + t] >> 10 & 31, from = 0;
        float most = -INFINITY;
        for (int q = 0; q < STATES; q++) {
            float value = score[(t + 1) % 2][q] - change[q * STATES + s];
            if (value > most) {
                most = value;
                from = q;
            }
        }
        score[t % 2][s] = most - emits[symbol * STATES + s];
        back[(m * MOMENTS + t) * STATES + s] = from;
        __syncthreads();
    }
    float most = most_of_block(score[(MOMENTS - 1) % 2][s]);
    if (s == 0)
        best[m] = most;
}

__global__ void sliced_rows(const int *__restrict__ start, const int *__restrict__ column, const float *__restrict__ value,
                            const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread(), slice = i / SLICE, end = start[slice + 1];
    float sum = 0;
    for (int at = start[slice] + i % SLICE; at < end; at += SLICE)
        sum += value[at] * x[column[at]];
    y[i] = sum;
}

__global__ void block_rows(const int *__restrict__ start, const int *__restrict__ column, const double *__restrict__ value,
                           const double *__restrict__ x, double *__restrict__ y)
{
    int i = thread() / BLOCK, r = threadIdx.x % BLOCK, end = start[i + 1];
    double sum = 0;
    for (int k = start[i]; k < end; k++) {
        const double *v = value + (k * BLOCK + r) * BLOCK, *of = x + (column[k] & (BLOCK_ROWS - 1)) * BLOCK;
#pragma unroll
        for (int c = 0; c < BLOCK; c++)
            sum += v[c] * of[c];
    }
    y[i * BLOCK + r] = sum;
}

__global__ void coordinates(int n, const int *__restrict__ row, const int *__restrict__ column, const float *__restrict__ value,
                            const float *__restrict__ x, float *__restrict__ y)
{
    int k = thread();
    if (k < n)
        atomicAdd(&y[k / 8 + (row[k] >> 9 & 15)], value[k] * x[column[k]]);
}

__global__ void triangles_of(int n, const int *__restrict__ friends, int *__restrict__ y)
{
    int at = thread(), p = at / FRIENDS, k = at % FRIENDS, i = k + 1, j = 0, count = 0;
    if (p < n) {
        const int *own = friends + p * FRIENDS, *its = friends + own[k] * FRIENDS;
        while (i < FRIENDS && j < FRIENDS) {
            int mine = own[i], yours = its[j];
            count += mine == yours;
            i += mine <= yours;
            j += yours <= mine;
        }
    }
    count = sum_of_block(count);
    if (threadIdx.x == 0)
        atomicAdd(y, count);
}

__global__ void labels(int n, const int *__restrict__ start, const int *__restrict__ to, const int *__restrict__ label,
                       int *__restrict__ y, int *__restrict__ changed)
{
    int i = thread(), count = 0;
    if (i < n) {
        int own = label[i], least = own, end = start[i + 1];
        for (int k = start[i]; k < end; k++)
            least = min(least, label[to[k]]);
        y[i] = least;
        count = least != own;
    }
    count = sum_of_block(count);
    if (threadIdx.x == 0)
        atomicAdd(changed, count);
}

__global__ void kept(int n, const int *__restrict__ x, int *__restrict__ count, int *__restrict__ list)
{
    int i = thread();
    if (i < n && (x[i] >> 12 & 31) == 7)
        list[atomicAdd(count, 1)] = i;
}

__global__ void eroded(int n, const unsigned char *__restrict__ x, unsigned char *__restrict__ y)
{
    int j = thread(), i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 2 || i >= n - 2 || j < 2 || j >= n - 2)
        return;
    int least = 255;
#pragma unroll
    for (int di = -2; di <= 2; di++)
#pragma unroll
        for (int dj = -2; dj <= 2; dj++)
            least = min(least, x[(i + di) * n + j + dj]);
    y[i * n + j] = least;
}

__global__ void demosaiced(int n, const unsigned char *__restrict__ x, unsigned char *__restrict__ y)
{
    int j = thread(), i = blockIdx.y * blockDim.y + threadIdx.y, colour[3];
    if (i < 1 || i >= n - 1 || j < 1 || j >= n - 1)
        return;
    colours_of(x, n, i, j, colour);
    for (int k = 0; k < 3; k++)
        y[3 * (i * n + j) + k] = colour[k];
}

__global__ void warped(int n, const float *__restrict__ h, const float *__restrict__ x, float *__restrict__ y)
{
    float h0 = 0.9f + 0.1f * h[0], h1 = 0.1f * h[1], h2 = 10 * h[2], h3 = -0.1f * h[3], h4 = 0.9f + 0.1f * h[4], h5 = 90 * h[5];
    float h6 = 1e-5f * h[6], h7 = 1e-5f * h[7];
    int j = thread(), i = blockIdx.y * blockDim.y + threadIdx.y;
    float by = 1 / (h6 * j + h7 * i + 1), px = (h0 * j + h1 * i + h2) * by, py = (h3 * j + h4 * i + h5) * by, value = 0;
    if (px >= 0 && py >= 0 && px < n - 1 && py < n - 1) {
        int ix = (int)px, iy = (int)py;
        float fx = px - ix, fy = py - iy;
        const float *p = x + iy * n + ix;
        value = (1 - fy) * ((1 - fx) * p[0] + fx * p[1]) + fy * ((1 - fx) * p[n] + fx * p[n + 1]);
    }
    y[i * n + j] = value;
}

/// A block has a point, a thread a direction.
__global__ void votes(const int *__restrict__ x, const float2 *__restrict__ direction, int *__restrict__ y)
{
    int p = blockIdx.x, k = threadIdx.x;
    if (k >= LINES_OF)
        return;
    int column = x[p] >> 4 & 1023, row = x[p] >> 15 & 1023;
    float2 d = direction[k];
    atomicAdd(&y[k * DISTANCES + (int)((column * d.x + row * d.y + 1449) * 0.5f)], 1);
}

__global__ void disparity(int n, const unsigned char *__restrict__ left, const unsigned char *__restrict__ right,
                          unsigned char *__restrict__ y)
{
    int j = thread(), i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 2 || i >= n - 2 || j < 2 + SHIFTS || j >= n - 2)
        return;
    int own[5][5], least = 1 << 30, best = 0;
#pragma unroll
    for (int di = 0; di < 5; di++)
#pragma unroll
        for (int dj = 0; dj < 5; dj++)
            own[di][dj] = left[(i + di - 2) * n + j + dj - 2];
    for (int d = 0; d < SHIFTS; d++) {
        int sum = 0;
#pragma unroll
        for (int di = 0; di < 5; di++)
#pragma unroll
            for (int dj = 0; dj < 5; dj++)
                sum += abs(own[di][dj] - right[(i + di - 2) * n + j + dj - 2 - d]);
        if (sum < least) {
            least = sum;
            best = d;
        }
    }
    y[i * n + j] = best;
}

__global__ void tones(int channels, int samples, const float *__restrict__ factor, const float *__restrict__ x,
                      float *__restrict__ y)
{
    int c = thread();
    if (c >= channels)
        return;
    float last[TONES] = {}, before[TONES] = {}, by[TONES];
#pragma unroll
    for (int f = 0; f < TONES; f++)
        by[f] = 1.9f * factor[f];
    for (int t = 0; t < samples; t++) {
        float value = x[t * channels + c];
#pragma unroll
        for (int f = 0; f < TONES; f++) {
            float next = value + by[f] * last[f] - before[f];
            before[f] = last[f];
            last[f] = next;
        }
    }
#pragma unroll
    for (int f = 0; f < TONES; f++)
        y[f * channels + c] = last[f] * last[f] + before[f] * before[f] - by[f] * last[f] * before[f];
}

__global__ void radix_four(int n, int done, const float2 *__restrict__ x, float2 *__restrict__ y)
{
    int j = thread(), k = j % done, to = (j - k) * 4 + k;
    float angle = -6.2831853f / (4 * done) * k;
    float2 v[4];
#pragma unroll
    for (int r = 0; r < 4; r++) {
        float2 in = x[j + r * (n / 4)];
        float re, im;
        sincosf(r * angle, &im, &re);
        v[r] = make_float2(in.x * re - in.y * im, in.x * im + in.y * re);
    }
    float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y), b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
    float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y), d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
    y[to] = make_float2(a.x + c.x, a.y + c.y);
    y[to + done] = make_float2(b.x + d.x, b.y + d.y);
    y[to + 2 * done] = make_float2(a.x - c.x, a.y - c.y);
    y[to + 3 * done] = make_float2(b.x - d.x, b.y - d.y);
}

__global__ void back_projected(int n, int detectors, const float2 *__restrict__ direction, const float *__restrict__ x,
                               float *__restrict__ y)
{
    int j = thread(), i = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < LINES_OF; k++) {
        float2 d = direction[k];
        float at = (j - n / 2) * d.x + (i - n / 2) * d.y + detectors / 2;
        int below = (int)at;
        float part = at - below;
        sum += (1 - part) * x[k * detectors + below] + part * x[k * detectors + below + 1];
    }
    y[i * n + j] = sum;
}

__global__ void stresses(int n, const float *__restrict__ vx, const float *__restrict__ vy, const float *__restrict__ vz,
                         const float *__restrict__ lambda, const float *__restrict__ mu, float *__restrict__ s)
{
    int i = thread(), j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z + 2, at = (k * n + j) * n + i, all = n * n * n;
    if (i < 2 || i >= n - 2 || j < 2 || j >= n - 2)
        return;
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

__global__ void activated(int width, const float *__restrict__ bias, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread(), at = blockIdx.y * width + j;
    y[at] = gelu(x[at] + bias[j]);
}

/// Tiles of both matrices in shared memory.
__global__ void quantised(int n, const signed char *__restrict__ a, const signed char *__restrict__ b,
                          const float *__restrict__ scale, unsigned char *__restrict__ c)
{
    __shared__ signed char left[32][32], top[32][32];
    int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 32 + threadIdx.y, sum = 0;
    for (int k = 0; k < n; k += 32) {
        left[threadIdx.y][threadIdx.x] = a[i * n + k + threadIdx.x];
        top[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + j];
        __syncthreads();
#pragma unroll
        for (int l = 0; l < 32; l++)
            sum += left[threadIdx.y][l] * top[l][threadIdx.x];
        __syncthreads();
    }
    int value = (int)(sum * scale[j] * 0.001f) + 128;
    c[i * n + j] = min(max(value, 0), 255);
}

__global__ void solid(int n, const float (*__restrict__ x)[SOLID][SOLID][SOLID], const float (*__restrict__ w)[MAPS][3][3][3],
                      float (*__restrict__ y)[SOLID][SOLID][SOLID])
{
    int k = threadIdx.x, j = blockIdx.x * blockDim.y + threadIdx.y, i = blockIdx.y, to = blockIdx.z;
    if (i < 1 || i >= n - 1 || j < 1 || j >= n - 1 || k < 1 || k >= n - 1)
        return;
    float sum = 0;
    for (int from = 0; from < MAPS; from++)
#pragma unroll
        for (int di = 0; di < 3; di++)
#pragma unroll
            for (int dj = 0; dj < 3; dj++)
#pragma unroll
                for (int dk = 0; dk < 3; dk++)
                    sum += w[to][from][di][dj][dk] * x[from][i + di - 1][j + dj - 1][k + dk - 1];
    y[to][i][j][k] = fmaxf(sum, 0);
}

/// A block has an option, a thread a node of each step; the values of two steps are in shared memory.
__global__ void binomial(const float *__restrict__ x, const float *__restrict__ z, float *__restrict__ y)
{
    __shared__ float value[2][STEPS + 1];
    int m = blockIdx.x, j = threadIdx.x;
    float spot = 80 + 40 * x[m], strike = 100, step = (0.1f + 0.3f * z[m]) * sqrtf(1.0f / STEPS);
    float grow = expf(0.03f / STEPS), up = expf(step), down = 1 / up, p = (grow - down) / (up - down), discount = 1 / grow;
    for (int k = j; k <= STEPS; k += blockDim.x)
        value[STEPS % 2][k] = fmaxf(strike - spot * expf((2 * k - STEPS) * step), 0);
    __syncthreads();
    for (int i = STEPS - 1; i >= 0; i--) {
        if (j <= i) {
            float wait = discount * (p * value[(i + 1) % 2][j + 1] + (1 - p) * value[(i + 1) % 2][j]);
            value[i % 2][j] = fmaxf(wait, strike - spot * expf((2 * j - i) * step));
        }
        __syncthreads();
    }
    if (j == 0)
        y[m] = value[0][0];
}

__global__ void drawn(unsigned key, unsigned other, float4 *__restrict__ y)
{
    int i = thread();
    unsigned v[4] = {(unsigned)i, 0, 7, 0};
    counted_random(v, key, other);
    float numbers[4];
#pragma unroll
    for (int k = 0; k < 4; k += 2) {
        float radius = sqrtf(-2 * logf(((v[k] >> 9) + 0.5f) * 0x1p-23f)), angle = 6.2831853f * (v[k + 1] >> 8) * 0x1p-24f;
        float sine, cosine;
        sincosf(angle, &sine, &cosine);
        numbers[k] = expf(0.1f * radius * cosine);
        numbers[k + 1] = expf(0.1f * radius * sine);
    }
    y[i] = make_float4(numbers[0], numbers[1], numbers[2], numbers[3]);
}

__global__ void string_hashes(int n, const int *__restrict__ start, const unsigned char *__restrict__ x, unsigned *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    unsigned hash = 2166136261u;
    int end = 4 * start[i + 1];
    for (int k = 4 * start[i]; k < end; k++)
        hash = (hash ^ x[k]) * 16777619u;
    y[i] = hash;
}

/// A warp has a packet.
__global__ void packet_sums(int n, int length, const unsigned char *__restrict__ x, unsigned *__restrict__ y)
{
    int i = thread() / WARP, lane = threadIdx.x % WARP;
    if (i >= n)
        return;
    unsigned sum = 0, weighted = 0;
    for (int k = lane; k < length; k += WARP) {
        unsigned value = x[i * length + k];
        sum += value;
        weighted += (length - k) * value;
    }
    sum = sum_of_lanes(sum, WARP) + 1;
    weighted = sum_of_lanes(weighted, WARP) + length;
    if (lane == 0)
        y[i] = weighted % 65521 << 16 | sum % 65521;
}

__global__ void minimizers(int n, const unsigned char *__restrict__ x, unsigned *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    unsigned word = 0, least = 0xffffffffu;
#pragma unroll
    for (int k = 0; k < LETTERS - 1; k++)
        word = word << 2 | (x[i + k] >> 3 & 3);
#pragma unroll
    for (int k = 0; k < WINDOW; k++) {
        word = (word << 2 | (x[i + LETTERS - 1 + k] >> 3 & 3)) & ((1u << 2 * LETTERS) - 1);
        least = min(least, mixed(word));
    }
    y[i] = least;
}

__global__ void filter(int n, const int *__restrict__ key, unsigned *__restrict__ bits)
{
    int i = thread();
    if (i >= n)
        return;
    unsigned own = key[i];
#pragma unroll
    for (int k = 0; k < HASHES; k++) {
        unsigned bit = mixed(own + k * 0x9e3779b9u) >> 5;
        atomicOr(&bits[bit >> 5], 1u << (bit & 31));
    }
}

__global__ void eigenvalues(int n, const float *__restrict__ a, float *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
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

/// Tiles of both matrices in shared memory, as far as the triangle goes.
__global__ void lower_products(int n, const float *__restrict__ l, const float *__restrict__ b, float *__restrict__ c)
{
    __shared__ float left[16][16], top[16][16];
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k <= blockIdx.y * 16; k += 16) {
        left[threadIdx.y][threadIdx.x] = k + threadIdx.x <= i ? l[i * n + k + threadIdx.x] : 0;
        top[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + j];
        __syncthreads();
#pragma unroll
        for (int m = 0; m < 16; m++)
            sum += left[threadIdx.y][m] * top[m][threadIdx.x];
        __syncthreads();
    }
    c[i * n + j] = sum;
}

/// A block has as many landmarks in shared memory as it has threads.
__global__ void nearest(int n, int landmarks, const float *__restrict__ x, const float *__restrict__ of, float *__restrict__ y)
{
    __shared__ float tile[128][3];
    int i = thread();
    float px = x[3 * i], py = x[3 * i + 1], pz = x[3 * i + 2], best[NEAREST];
#pragma unroll
    for (int k = 0; k < NEAREST; k++)
        best[k] = 1e30f;
    for (int first = 0; first < landmarks; first += 128) {
        __syncthreads();
        for (int k = threadIdx.x; k < 3 * 128; k += 128)
            tile[k / 3][k % 3] = of[3 * first + k];
        __syncthreads();
        for (int m = 0; m < 128; m++) {
            float dx = px - tile[m][0], dy = py - tile[m][1], dz = pz - tile[m][2], square = dx * dx + dy * dy + dz * dz;
            if (square < best[NEAREST - 1]) {
                best[NEAREST - 1] = square;
#pragma unroll
                for (int k = NEAREST - 1; k > 0; k--) {
                    float less = fminf(best[k - 1], best[k]);
                    best[k] = fmaxf(best[k - 1], best[k]);
                    best[k - 1] = less;
                }
            }
        }
    }
#pragma unroll
    for (int k = 0; k < NEAREST; k++)
        y[i * NEAREST + k] = best[k];
}

__global__ void merged(int n, const int *__restrict__ x, int *__restrict__ y)
{
    int i = thread(), value = x[i], low = 0, high = n;
    const int *other = i < n ? x + n : x;
    int limit = i < n ? value : value + 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (other[middle] < limit)
            low = middle + 1;
        else
            high = middle;
    }
    y[i % n + low] = value;
}

__global__ void middle_sums(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int k = thread(), i = blockIdx.y;
    float sum = 0;
    for (int j = 0; j < n; j++)
        sum += x[(i * n + j) * n + k];
    y[i * n + k] = sum;
}

/// A thread has the rest of a board whose first four rows are set, a row after the other on a stack.
__global__ void queens(int n, int *__restrict__ y)
{
    const int full = (1 << QUEENS) - 1;
    int i = thread(), count = 0, taken = 0, left = 0, right = 0, row = 4, rest = i;
    bool legal = i < n;
    for (int k = 0; k < 4; k++, rest /= QUEENS) {
        int bit = 1 << rest % QUEENS;
        if ((taken | left | right) & bit)
            legal = false;
        taken |= bit;
        left = (left | bit) << 1;
        right = (right | bit) >> 1;
    }
    if (legal) {
        int free[QUEENS], of_taken[QUEENS], of_left[QUEENS], of_right[QUEENS];
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
    count = sum_of_block(count);
    if (threadIdx.x == 0)
        atomicAdd(y, count);
}

/// A block turns a tile of the first and the last axis in shared memory.
__global__ void axes_turned(const float (*__restrict__ x)[EDGE][EDGE][2 * EDGE], float (*__restrict__ y)[EDGE][EDGE][EDGE])
{
    __shared__ float tile[32][33];
    int j = blockIdx.y, k = blockIdx.z, first = blockIdx.x % (EDGE / 32) * 32, last = blockIdx.x / (EDGE / 32) * 32;
    for (int r = threadIdx.y; r < 32; r += 8)
        tile[r][threadIdx.x] = x[first + r][j][k][last + threadIdx.x];
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 8)
        y[last + r][k][j][first + threadIdx.x] = tile[threadIdx.x][r];
}

int main()
{
    std::vector<float> numbers(N), others(N);
    std::vector<int> indices(N), of_columns(N), of_cells(ALL_CELLS + 1), of_triangles(3 * TRIANGLES), of_slices(ROWS / SLICE + 1);
    std::vector<int> of_rows(ROWS + 1), neighbours((PEOPLE + STRANGERS) * FRIENDS);
    std::vector<double> doubles(N / 2), xs(MESH_NODES), ys(MESH_NODES);
    std::vector<particle> all(ALL_CELLS * AT_MOST);
    std::vector<triple> triples(BENDS);
    std::vector<int> in_order(2 * MERGED);
    std::vector<float> of_lines(2 * LINES_OF);
    fill_numbers(numbers.data(), others.data(), indices.data(), of_columns.data(), doubles.data());
    fill_bends(indices.data(), triples.data());
    fill_triangles(numbers.data(), of_triangles.data(), xs.data(), ys.data());
    fill_slices(indices.data(), of_slices.data());
    fill_rows(indices.data(), of_rows.data());
    fill_friends(indices.data(), neighbours.data());
    fill_sorted(indices.data(), in_order.data());
    fill_directions(of_lines.data());
    const int crowd = fill_cells(numbers.data(), indices.data(), of_cells.data(), all.data()), field = DEEP * EAST * EAST;
    float *a = copy(numbers), *b = copy(others);
    int *at = copy(indices), *column = copy(of_columns), *cells = copy(of_cells), *corners = copy(of_triangles);
    int *slices = copy(of_slices), *rows = copy(of_rows), *friends = copy(neighbours), *sorted = copy(in_order);
    double *wide = copy(doubles), *mesh_x = copy(xs), *mesh_y = copy(ys), *work;
    float4 *particles = (float4 *)copy(all);
    float2 *direction = (float2 *)copy(of_lines);
    triple *angles = copy(triples);
    check(cudaMalloc(&c, 4L * N));
    check(cudaMalloc(&work, 8L * WORK));
    double *out = (double *)c;
    int *ints = (int *)c;
    unsigned char *bytes = (unsigned char *)at, *bytes_out = (unsigned char *)c;
    const gate turn = {{{{0.7, 0.1}, {0.6, -0.2}}, {{0.5, 0.3}, {-0.4, 0.8}}}};
    const int T = THREADS;
    dim3 threads(32, 8);
    measure<float>("hopped", 6 * SITES, [=] { hopped<<<SITES / 128, 128>>>((link *)a, (colours *)b, (colours *)c); });
    measure<double>("plaquettes", 1, [=] { plaquettes<<<SITES / 128, 128>>>((link *)a, out); });
    measure<signed char>("flips", TORUS * TORUS / 2, [=] {
        flips<<<dim3(TORUS / 2 / T, TORUS), T>>>(TORUS, 0.44f, 7, (signed char *)at, (signed char *)column, (signed char *)c);
    });
    measure<float>("precession", 3 * SPINS, [=] {
        precession<<<dim3(MAGNET / 2, 2 * MAGNET), dim3(MAGNET, 2)>>>(MAGNET, a, a + SPINS, a + 2 * SPINS, c);
    });
    measure<double>("one_qubit", 2 * AMPLITUDES,
                    [=] { one_qubit<<<AMPLITUDES / 2 / T, T>>>(QUBIT, turn, (double2 *)wide, (double2 *)c); });
    measure<float>("two_qubits", 2 * PAIRED,
                   [=] { two_qubits<<<PAIRED / 4 / T, T>>>((float2 *)b, (float2 *)a, (float2 *)c); });
    measure<double>("mixed_columns", LEVELS * COLUMNS, [=] {
        mixed_columns<<<COLUMNS / 128, 128>>>(COLUMNS, LEVELS, 0.7, wide, wide + LEVELS * COLUMNS, work, out);
    });
    measure<float>("rain", (LEVELS + 1) * CLOUDS, [=] {
        rain<<<CLOUDS / 128, 128>>>(CLOUDS, LEVELS, a, b, a + LEVELS * CLOUDS, c, c + LEVELS * CLOUDS);
    });
    measure<float>("hydrostatic", 3 * LEVELS * BASIN, [=] {
        weights_above<<<BASIN / 128, 128>>>(LEVELS, BASIN, a, c);
        pushed_by_pressure<<<dim3(2 * EAST / 32, EAST / 8, LEVELS), threads>>>(EAST, 2 * EAST, a, c, c + LEVELS * BASIN,
                                                                               c + 2 * LEVELS * BASIN);
    });
    measure<float>("tracers", field, [=] {
        tracers<<<dim3(EAST / 32, EAST / 8, DEEP - 4), threads>>>(DEEP, EAST, a, a + field, a + 2 * field, b, c);
    });
    measure<float>("solidified", PICTURE * PICTURE,
                   [=] { solidified<<<dim3(PICTURE / 32, PICTURE / 8), threads>>>(PICTURE, a, b, c); });
    measure<float>("densities", crowd, [=] { densities<<<crowd / 128 + 1, 128>>>(crowd, cells, particles, c); });
    measure<float>("bends", 3 * ATOMS, [=] { bends<<<BENDS / T, T>>>(BENDS, angles, (float(*)[3])a, (float(*)[3])c); });
    measure<double>("along_rows", LINES * OF_LINE, [=] { along_rows<<<LINES / 64, 64>>>(LINES, OF_LINE, wide, work, out); });
    measure<double>("spectral", SPECTRAL * CUBED, [=] {
        spectral<<<SPECTRAL, dim3(NODES, NODES, NODES)>>>(wide, wide + 97, wide + 6 * SPECTRAL * CUBED + 97, out);
    });
    measure<double>("assembled", MESH_NODES,
                    [=] { assembled<<<TRIANGLES / T, T>>>(TRIANGLES, corners, mesh_x, mesh_y, wide, out); });
    measure<unsigned char>("viterbi", CHAINS * MOMENTS * STATES,
                           [=] { viterbi<<<CHAINS, STATES>>>(at, a, b, bytes_out, c + CHAINS * MOMENTS * STATES / 4); });
    measure<float>("sliced_rows", ROWS, [=] { sliced_rows<<<ROWS / T, T>>>(slices, column, a, b, c); });
    measure<double>("block_rows", BLOCK_ROWS * BLOCK,
                    [=] { block_rows<<<BLOCK_ROWS * BLOCK / T, T>>>(rows, column, wide, wide + 97, out); });
    measure<float>("coordinates", ENTRIES / 8 + 16, [=] { coordinates<<<ENTRIES / T, T>>>(ENTRIES, at, column, a, b, c); });
    measure<int>("triangles_of", 1, [=] { triangles_of<<<PEOPLE * FRIENDS / T, T>>>(PEOPLE, friends, ints); });
    measure<int>("labels", ROWS + 1, [=] { labels<<<ROWS / T, T>>>(ROWS, rows, column, at, ints, ints + ROWS); });
    measure<int>("kept", 1, [=] { kept<<<N / T, T>>>(N, at, ints, ints + KEPT_AT); });
    measure<unsigned char>("eroded", PICTURE * PICTURE,
                           [=] { eroded<<<dim3(PICTURE / 32, PICTURE / 8), threads>>>(PICTURE, bytes, bytes_out); });
    measure<unsigned char>("demosaiced", 3 * PICTURE * PICTURE,
                           [=] { demosaiced<<<dim3(PICTURE / 32, PICTURE / 8), threads>>>(PICTURE, bytes, bytes_out); });
    measure<float>("warped", PICTURE * PICTURE, [=] { warped<<<dim3(PICTURE / 32, PICTURE / 8), threads>>>(PICTURE, b, a, c); });
    measure<int>("votes", LINES_OF * DISTANCES, [=] { votes<<<EDGES, 192>>>(at, direction, ints); });
    measure<unsigned char>("disparity", STEREO * STEREO, [=] {
        disparity<<<dim3(STEREO / 32, STEREO / 8), threads>>>(STEREO, bytes, (unsigned char *)column, bytes_out);
    });
    measure<float>("tones", TONES * ANTENNAS, [=] { tones<<<ANTENNAS / 128, 128>>>(ANTENNAS, SAMPLES, b, a, c); });
    measure<float>("radix_four", 2 * SIGNAL, [=] { radix_four<<<SIGNAL / 4 / T, T>>>(SIGNAL, DONE, (float2 *)a, (float2 *)c); });
    measure<float>("back_projected", SCAN * SCAN, [=] {
        back_projected<<<dim3(SCAN / 32, SCAN / 8), threads>>>(SCAN, DETECTORS, direction, a, c);
    });
    measure<float>("stresses", 6 * ROCK * ROCK * ROCK, [=] {
        stresses<<<dim3(ROCK / 32, ROCK / 8, ROCK - 4), threads>>>(ROCK, a, a + N / 8, a + N / 4, b, b + N / 8, c);
    });
    measure<float>("activated", TOKENS * WIDTH, [=] { activated<<<dim3(WIDTH / T, TOKENS), T>>>(WIDTH, b, a, c); });
    measure<unsigned char>("quantised", PRODUCTS * PRODUCTS, [=] {
        quantised<<<dim3(PRODUCTS / 32, PRODUCTS / 32), dim3(32, 32)>>>(PRODUCTS, (signed char *)at, (signed char *)column, b,
                                                                        bytes_out);
    });
    measure<float>("solid", MAPS * SOLID * SOLID * SOLID, [=] {
        solid<<<dim3(SOLID / 4, SOLID, MAPS), dim3(SOLID, 4)>>>(SOLID, (float(*)[SOLID][SOLID][SOLID])a, (float(*)[MAPS][3][3][3])b,
                                                                (float(*)[SOLID][SOLID][SOLID])c);
    });
    measure<float>("binomial", OPTIONS, [=] { binomial<<<OPTIONS, STEPS>>>(a, b, c); });
    measure<float>("drawn", 4 * DRAWS, [=] { drawn<<<DRAWS / T, T>>>(0x1234567, 0x89abcdef, (float4 *)c); });
    measure<unsigned>("string_hashes", STRINGS,
                      [=] { string_hashes<<<STRINGS / T, T>>>(STRINGS, rows, bytes, (unsigned *)c); });
    measure<unsigned>("packet_sums", PACKETS,
                      [=] { packet_sums<<<PACKETS / 8, T>>>(PACKETS, OF_PACKET, bytes, (unsigned *)c); });
    measure<unsigned>("minimizers", BASES, [=] { minimizers<<<BASES / T, T>>>(BASES, bytes, (unsigned *)c); });
    measure<unsigned>("filter", 1 << 22, [=] { filter<<<KEYS / T, T>>>(KEYS, at, (unsigned *)c); });
    measure<float>("eigenvalues", 3 * TENSORS, [=] { eigenvalues<<<TENSORS / T, T>>>(TENSORS, a, c); });
    measure<float>("lower_products", PRODUCTS * PRODUCTS, [=] {
        lower_products<<<dim3(PRODUCTS / 16, PRODUCTS / 16), dim3(16, 16)>>>(PRODUCTS, a, b, c);
    });
    measure<float>("nearest", QUERIES * NEAREST, [=] { nearest<<<QUERIES / 128, 128>>>(QUERIES, LANDMARKS, a, b, c); });
    measure<int>("merged", 2 * MERGED, [=] { merged<<<2 * MERGED / T, T>>>(MERGED, sorted, ints); });
    measure<float>("middle_sums", N / 512, [=] { middle_sums<<<dim3(4, N / (512 * 512)), 128>>>(512, a, c); });
    measure<int>("queens", 1, [=] { queens<<<PLACED / 128 + 1, 128>>>(PLACED, ints); });
    measure<float>("axes_turned", N, [=] {
        axes_turned<<<dim3(EDGE / 16 * (EDGE / 32), EDGE, EDGE), threads>>>((float(*)[EDGE][EDGE][2 * EDGE])a,
                                                                            (float(*)[EDGE][EDGE][EDGE])c);
    });
    return 0;
}
