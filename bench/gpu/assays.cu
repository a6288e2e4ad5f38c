// The loops of assays.c in CUDA, as a programmer who knows it writes them first: a thread for each element, a
// block or a warp for a row, shared memory where a block has something in common.
//
//     name median-microseconds checksum
#include "assays.h"
#include "measured.cuh"

__device__ int second_index(int first) { return first + blockIdx.y * blockDim.y + threadIdx.y; }

__global__ void remapped(int columns, const double *__restrict__ thick, const double *__restrict__ value,
                         double *__restrict__ y)
{
    int i = thread();
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

__global__ void clouds(int columns, const double *__restrict__ cover, double *__restrict__ clear)
{
    int i = thread();
    double through = 1, before = 0;
    for (int k = 0; k < LAYERS; k++) {
        double here = 0.2 * cover[k * columns + i];
        through *= (1 - fmax(here, before)) / (1 - fmin(before, 0.999));
        clear[k * columns + i] = through;
        before = here;
    }
}

__global__ void depths(const float *__restrict__ pressure, const float *__restrict__ temperature,
                       const float *__restrict__ amount, const float *__restrict__ table, float *__restrict__ tau)
{
    int all = thread(), g = all % PARTS, at = all / PARTS;
    float p = pressure[at] * (PRESSURES - 1.001f), t = temperature[at] * (TEMPERATURES - 1.001f);
    int jp = (int)p, jt = (int)t;
    float fp = p - jp, ft = t - jt;
    const float *row = table + (jp * TEMPERATURES + jt) * PARTS + g, *next = row + TEMPERATURES * PARTS;
    tau[all] = ((1 - fp) * ((1 - ft) * row[0] + ft * row[PARTS]) + fp * ((1 - ft) * next[0] + ft * next[PARTS])) * amount[at];
}

__global__ void tree_walk(int cells, float theta, const cell *__restrict__ tree, const float *__restrict__ x,
                          const float *__restrict__ y, const float *__restrict__ z, float *__restrict__ force)
{
    int i = thread(), n = 0;
    float fx = 0, fy = 0, fz = 0, px = x[i], py = y[i], pz = z[i];
    while (n < cells) {
        cell here = tree[n];
        float dx = here.x - px, dy = here.y - py, dz = here.z - pz;
        float square = dx * dx + dy * dy + dz * dz + 1e-3f;
        if (here.size * here.size < theta * theta * square || here.next == n + 1) {
            float by = here.mass / (square * sqrtf(square));
            fx += by * dx;
            fy += by * dy;
            fz += by * dz;
            n = here.next;
        } else
            n++;
    }
    force[3 * i] = fx;
    force[3 * i + 1] = fy;
    force[3 * i + 2] = fz;
}

__global__ void overlapping(int n, const double *__restrict__ centre, const double *__restrict__ exponent,
                            const double *__restrict__ weight, double *__restrict__ s)
{
    int j = thread(), i = second_index(0);
    double dx = centre[3 * i] - centre[3 * j], dy = centre[3 * i + 1] - centre[3 * j + 1];
    double dz = centre[3 * i + 2] - centre[3 * j + 2], square = dx * dx + dy * dy + dz * dz, sum = 0;
#pragma unroll
    for (int p = 0; p < PRIMITIVES; p++)
#pragma unroll
        for (int q = 0; q < PRIMITIVES; q++) {
            double a = exponent[i * PRIMITIVES + p] + 0.2, b = exponent[j * PRIMITIVES + q] + 0.2, both = 1 / (a + b);
            double part = 3.141592653589793 * both;
            sum += weight[i * PRIMITIVES + p] * weight[j * PRIMITIVES + q] * part * sqrt(part) * exp(-a * b * both * square);
        }
    s[i * n + j] = sum;
}

__global__ void nuclear(int n, int atoms, const float4 *__restrict__ orbital, const float4 *__restrict__ atom,
                        float *__restrict__ v)
{
    int j = thread(), i = second_index(0);
    if (j > i)
        return;
    float4 p = orbital[i], q = orbital[j];
    float a = p.w + 0.3f, b = q.w + 0.3f, both = a + b, by = 1 / both;
    float x = (a * p.x + b * q.x) * by, y = (a * p.y + b * q.y) * by, z = (a * p.z + b * q.z) * by, sum = 0;
    for (int k = 0; k < atoms; k++) {
        float4 c = atom[k];
        float dx = x - c.x, dy = y - c.y, dz = z - c.z, t = both * (dx * dx + dy * dy + dz * dz), root = sqrtf(t);
        float boys = t < 1e-4f ? 1 - t / 3 : 0.88622693f * erff(root) / root;
        sum -= c.w * 6.2831853f * by * boys;
    }
    v[i * n + j] = sum;
    v[j * n + i] = sum;
}

__global__ void coded(const int *__restrict__ order, const short *__restrict__ coefficients, int *__restrict__ bits)
{
    int b = thread(), run = 0, sum = 0;
    for (int k = 1; k < 64; k++) {
        int value = coefficients[64 * b + order[k]] / 9000;
        if (value == 0)
            run++;
        else {
            while (run > 15) {
                sum += 11;
                run -= 16;
            }
            for (int rest = abs(value); rest; rest >>= 1)
                sum++;
            sum += 4 + run / 2;
            run = 0;
        }
    }
    bits[b] = run ? sum + 4 : sum;
}

__global__ void lifted(int n, const short *__restrict__ x, short *__restrict__ y)
{
    int j = thread(), i = blockIdx.y;
    const short *row = x + i * n;
    int before = j > 0 ? 2 * j - 2 : 0, odd = j > 0 ? 2 * j - 1 : 1, after = 2 * j + 2 < n ? 2 * j + 2 : n - 2;
    int here = row[2 * j], low = row[odd] - (row[before] + here) / 2, high = row[2 * j + 1] - (here + row[after]) / 2;
    y[i * n + j] = here + (low + high + 2) / 4;
    y[i * n + n / 2 + j] = high;
}

__global__ void deblocked(int n, int alpha, int beta, const unsigned char *__restrict__ from, unsigned char *__restrict__ to)
{
    int e = thread(), i = blockIdx.y;
    if (e >= n / 8 - 1)
        return;
    uchar4 left = *(const uchar4 *)(from + i * n + 8 * e + 4), right = *(const uchar4 *)(from + i * n + 8 * e + 8);
    int p1 = left.z, p0 = left.w, q0 = right.x, q1 = right.y;
    if (abs(p0 - q0) < alpha && abs(p1 - p0) < beta && abs(q1 - q0) < beta) {
        int by = ((q0 - p0) * 4 + (p1 - q1) + 4) >> 3;
        by = min(max(by, -6), 6);
        left.w = min(max(p0 + by, 0), 255);
        right.x = min(max(q0 - by, 0), 255);
    }
    *(uchar4 *)(to + i * n + 8 * e + 4) = left;
    *(uchar4 *)(to + i * n + 8 * e + 8) = right;
}

__global__ void hadamard(int n, const unsigned char *__restrict__ p, const unsigned char *__restrict__ q,
                         int *__restrict__ cost)
{
    int j = thread(), i = second_index(0), d[4][4], sum = 0;
#pragma unroll
    for (int r = 0; r < 4; r++) {
        uchar4 x = *(const uchar4 *)(p + (4 * i + r) * n + 4 * j), y = *(const uchar4 *)(q + (4 * i + r) * n + 4 * j);
        int d0 = x.x - y.x, d1 = x.y - y.y, d2 = x.z - y.z, d3 = x.w - y.w;
        d[r][0] = d0 + d1 + d2 + d3;
        d[r][1] = d0 - d1 + d2 - d3;
        d[r][2] = d0 + d1 - d2 - d3;
        d[r][3] = d0 - d1 - d2 + d3;
    }
#pragma unroll
    for (int s = 0; s < 4; s++) {
        sum += abs(d[0][s] + d[1][s] + d[2][s] + d[3][s]) + abs(d[0][s] - d[1][s] + d[2][s] - d[3][s]);
        sum += abs(d[0][s] + d[1][s] - d[2][s] - d[3][s]) + abs(d[0][s] - d[1][s] - d[2][s] + d[3][s]);
    }
    cost[i * (n / 4) + j] = sum;
}

__global__ void goertzel(const float *__restrict__ sound, const float *__restrict__ turn, float *__restrict__ power)
{
    int tone = threadIdx.x, f = blockIdx.x;
    __shared__ float frame[OF_FRAME];
    for (int t = tone; t < OF_FRAME; t += TONES)
        frame[t] = sound[f * OF_FRAME + t];
    __syncthreads();
    float by = 2 * turn[tone] - 1, one = 0, two = 0;
    for (int t = 0; t < OF_FRAME; t++) {
        float next = frame[t] + by * one - two;
        two = one;
        one = next;
    }
    power[f * TONES + tone] = one * one + two * two - by * one * two;
}

__global__ void resampled(long n, const float *__restrict__ x, const float *__restrict__ taps, float *__restrict__ y)
{
    long i = thread();
    if (i >= n)
        return;
    long at = i * DOWN / UP;
    int phase = i * DOWN - at * UP;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < TAPS; k++)
        sum += taps[phase * TAPS + k] * x[at + k];
    y[i] = sum;
}

__global__ void autocorrelated(const float *__restrict__ sound, float *__restrict__ y)
{
    int f = blockIdx.x, warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    __shared__ float frame[2 * OF_FRAME];
    for (int t = threadIdx.x; t < 2 * OF_FRAME; t += blockDim.x)
        frame[t] = sound[f * 2 * OF_FRAME + t];
    __syncthreads();
    for (int lag = warp; lag < LAGS; lag += blockDim.x / WARP) {
        float sum = 0;
        for (int t = lane; t < 2 * OF_FRAME - lag; t += WARP)
            sum += frame[t] * frame[t + lag];
        sum = sum_of_lanes(sum, WARP);
        if (lane == 0)
            y[f * LAGS + lag] = sum;
    }
}

__global__ void filter_bank(const int *__restrict__ first, const float *__restrict__ re, const float *__restrict__ im,
                            float *__restrict__ y)
{
    int s = blockIdx.x, f = threadIdx.x;
    __shared__ float power[BINS];
    for (int k = f; k < BINS; k += FILTERS) {
        float u = re[s * BINS + k], v = im[s * BINS + k];
        power[k] = u * u + v * v;
    }
    __syncthreads();
    int low = first[f], top = first[f + 1], high = first[f + 2];
    float sum = 0;
    for (int k = low; k < high; k++)
        sum += (k < top ? (float)(k - low) / (top - low) : (float)(high - k) / (high - top)) * power[k];
    y[s * FILTERS + f] = logf(sum + 1e-6f);
}

__global__ void page_rank(int n, const int *__restrict__ rows, const int *__restrict__ edges, const int *__restrict__ links,
                          const float *__restrict__ rank, float *__restrict__ next, float *__restrict__ change)
{
    int i = thread();
    float in = 0;
    for (int e = rows[i]; e < rows[i + 1]; e++) {
        int from = edges[e] % n;
        in += rank[from] / (1 + (links[from] & 15));
    }
    float now = 0.15f / n + 0.85f * in, sum = sum_of_block(fabsf(now - rank[i]));
    next[i] = now;
    if (threadIdx.x == 0)
        atomicAdd(change, sum);
}

__global__ void coloured(int n, const int *__restrict__ rows, const int *__restrict__ edges,
                         const unsigned char *__restrict__ colour, unsigned char *__restrict__ y)
{
    int i = thread();
    unsigned long long taken = 0;
    for (int e = rows[i]; e < rows[i + 1]; e++)
        taken |= 1ull << (colour[edges[e] % n] & 15);
    y[i] = __ffsll(~taken) - 1;
}

__global__ void hooked(const int *__restrict__ parent, int *__restrict__ root)
{
    int i = thread(), at = i, up = parent[at];
    while (up != at) {
        at = up;
        up = parent[at];
    }
    root[i] = at;
}

__global__ void common_prefixes(int n, const int *__restrict__ suffixes, const unsigned char *__restrict__ text,
                                unsigned char *__restrict__ y)
{
    int i = thread();
    if (i >= n - 1)
        return;
    int p = suffixes[i] % n, q = suffixes[i + 1] % n, length = 0;
    while (length < 64 && (text[p + length] & 1) == (text[q + length] & 1))
        length++;
    y[i] = length;
}

__global__ void checked_records(const unsigned *__restrict__ checks, const unsigned char *__restrict__ bytes,
                                unsigned *__restrict__ y)
{
    __shared__ unsigned of_byte[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x)
        of_byte[k] = checks[k];
    __syncthreads();
    int r = thread();
    unsigned crc = ~0u;
    for (int k = 0; k < OF_RECORD; k++)
        crc = of_byte[(crc ^ bytes[(size_t)r * OF_RECORD + k]) & 255] ^ crc >> 8;
    y[r] = ~crc;
}

__global__ void parsed(const unsigned char *__restrict__ text, int *__restrict__ y)
{
    int f = thread(), value = 0;
    const unsigned char *p = text + f * OF_FIELD, *end = p + OF_FIELD;
    int sign = *p & 1 ? -1 : 1;
    for (p++; p < end; p++) {
        int digit = *p % 16;
        if (digit > 9)
            break;
        value = 10 * (value % 100000000) + digit;
    }
    y[f] = sign * value;
}

__global__ void sensitivities(int n, const double *__restrict__ spot, const double *__restrict__ strike,
                              double *__restrict__ delta, double *__restrict__ gamma, double *__restrict__ vega)
{
    int i = thread();
    double s = 50 + 100 * spot[i], k = 50 + 100 * strike[i], years = 0.1 + spot[n + i], spread = 0.1 + 0.4 * strike[n + i];
    double time = sqrt(years), root = spread * time, d = (log(s / k) + (0.03 + 0.5 * spread * spread) * years) / root;
    double density = 0.3989422804014327 * exp(-0.5 * d * d);
    delta[i] = 0.5 * erfc(-d * 0.7071067811865475);
    gamma[i] = density / (s * root);
    vega[i] = s * density * time;
}

__global__ void at_risk(int positions, const float *__restrict__ shocks, const int *__restrict__ factor,
                        const float *__restrict__ held, const float *__restrict__ strike, float *__restrict__ loss)
{
    int s = blockIdx.x;
    __shared__ float shock[FACTORS];
    for (int k = threadIdx.x; k < FACTORS; k += blockDim.x)
        shock[k] = shocks[s * FACTORS + k];
    __syncthreads();
    float sum = 0;
    for (int p = threadIdx.x; p < positions; p += blockDim.x)
        sum += held[p] * fmaxf(1 + 0.2f * (shock[factor[p] % FACTORS] - 0.5f) - 0.5f - strike[p], 0);
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        loss[s] = -sum;
}

__global__ void convolved(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y)
{
    int at = thread(), j = at % EDGE, i = at / EDGE, k = blockIdx.y, n = blockIdx.z;
    __shared__ float of_channel[CHANNELS * 9];
    for (int t = threadIdx.x; t < CHANNELS * 9; t += blockDim.x)
        of_channel[t] = w[k * CHANNELS * 9 + t];
    __syncthreads();
    if (i >= EDGE)
        return;
    float sum = 0;
    for (int c = 0; c < CHANNELS; c++) {
        const float *image = x + (n * CHANNELS + c) * EDGE * EDGE;
#pragma unroll
        for (int r = 0; r < 3; r++)
#pragma unroll
            for (int s = 0; s < 3; s++) {
                int u = i + r - 1, v = j + s - 1;
                if (u >= 0 && u < EDGE && v >= 0 && v < EDGE)
                    sum += image[u * EDGE + v] * of_channel[(c * 3 + r) * 3 + s];
            }
    }
    y[(n * CHANNELS + k) * EDGE * EDGE + at] = fmaxf(sum, 0);
}

__global__ void weight_gradient(const float *__restrict__ x, const float *__restrict__ dy, float *__restrict__ dw)
{
    int s = blockIdx.x % 3, r = blockIdx.x / 3 % 3, c = blockIdx.x / 9 % CHANNELS, k = blockIdx.x / (9 * CHANNELS);
    const int inner = EDGE - 2;
    float sum = 0;
    for (int n = 0; n < IMAGES; n++) {
        const float *image = x + (n * CHANNELS + c) * EDGE * EDGE, *gradient = dy + (n * CHANNELS + k) * EDGE * EDGE;
        for (int t = threadIdx.x; t < inner * inner; t += blockDim.x) {
            int i = 1 + t / inner, j = 1 + t % inner;
            sum += gradient[i * EDGE + j] * image[(i + r - 1) * EDGE + j + s - 1];
        }
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        dw[blockIdx.x] = sum;
}

__global__ void rotary(const float *__restrict__ q, const float *__restrict__ cosine, const float *__restrict__ sine,
                       float *__restrict__ y)
{
    int all = thread(), d = all % HALF, row = all / HALF, place = row / HEADS % PLACES, at = row * 2 * HALF + d;
    float c = cosine[place * HALF + d], s = sine[place * HALF + d], one = q[at], two = q[at + HALF];
    y[at] = one * c - two * s;
    y[at + HALF] = two * c + one * s;
}

__global__ void dropped(int columns, unsigned seed, const float *__restrict__ x, const float *__restrict__ bias,
                        float *__restrict__ y)
{
    int j = thread(), i = blockIdx.y, at = i * columns + j;
    float value = gelu(x[at] + bias[j]);
    y[at] = scattered(seed + at) > 0x20000000u ? value / 0.875f : 0;
}

__global__ void unpooled(const float *__restrict__ x, const float *__restrict__ dy, float *__restrict__ dx)
{
    const int edge = 2 * POOLED + 1;
    int j = thread(), i = second_index(0), m = blockIdx.z;
    if (i >= POOLED || j >= POOLED)
        return;
    int best = (m * edge + 2 * i) * edge + 2 * j;
    float most = x[best];
#pragma unroll
    for (int r = 0; r < 3; r++)
#pragma unroll
        for (int s = 0; s < 3; s++) {
            int at = (m * edge + 2 * i + r) * edge + 2 * j + s;
            float value = x[at];
            if (value > most) {
                most = value;
                best = at;
            }
        }
    atomicAdd(&dx[best], dy[(m * POOLED + i) * POOLED + j]);
}

__global__ void squares(int n, const float *__restrict__ g, float *__restrict__ square)
{
    float sum = 0;
    for (int i = thread(); i < n; i += gridDim.x * blockDim.x)
        sum += g[i] * g[i];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        atomicAdd(square, sum);
}

__global__ void clipped(float most, const float *__restrict__ g, const float *__restrict__ square, float *__restrict__ y)
{
    float norm = sqrtf(*square);
    y[thread()] = (norm > most ? most / (norm + 1e-6f) : 1) * g[thread()];
}

__global__ void byte_product(int n, float scale, const char *__restrict__ x, const char *__restrict__ w,
                             float *__restrict__ y)
{
    __shared__ char xs[32][36], ws[32][36];
    int tx = threadIdx.x, ty = threadIdx.y, j = blockIdx.x * 32 + tx, i = blockIdx.y * 32 + ty, sum = 0;
    for (int k = 0; k < n; k += 32) {
        xs[ty][tx] = x[i * n + k + tx];
        ws[ty][tx] = w[(blockIdx.x * 32 + ty) * n + k + tx];
        __syncthreads();
#pragma unroll
        for (int t = 0; t < 32; t++)
            sum += (signed char)xs[ty][t] * (signed char)ws[tx][t];
        __syncthreads();
    }
    y[i * n + j] = scale * sum;
}

__global__ void lennard_jones(int n, const double4 *__restrict__ p, const int *__restrict__ neighbours,
                              double *__restrict__ force)
{
    int i = thread();
    double4 here = p[i];
    double fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < NEIGHBOURS; j++) {
        double4 there = p[neighbours[j * n + i]];
        double dx = here.x - there.x, dy = here.y - there.y, dz = here.z - there.z;
        double square = dx * dx + dy * dy + dz * dz;
        if (square < 0.3) {
            double by = 1 / (square + 0.01), six = 1e-3 * by * by * by, strength = by * six * (six - 0.5);
            fx += dx * strength;
            fy += dy * strength;
            fz += dz * strength;
        }
    }
    force[3 * i] = fx;
    force[3 * i + 1] = fy;
    force[3 * i + 2] = fz;
}

#define AT(a, di, dj, dk) a[at + ((di) * n + (dj)) * n + (dk)]

__global__ void turbulence(int n, double by, const double *__restrict__ u, const double *__restrict__ v,
                           const double *__restrict__ w, const double *__restrict__ energy, double *__restrict__ y)
{
    int k = 1 + thread(), j = second_index(1), i = 1 + blockIdx.z, at = (i * n + j) * n + k;
    if (k >= n - 1 || j >= n - 1)
        return;
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
    double e = energy[at], root = sqrt(e + 1e-20);
    y[at] = e + 0.1 * (0.1 * root * fmax(made, 0.0) - 0.7 * e * root);
}

__global__ void rock(int n, float by, const float *__restrict__ sxx, const float *__restrict__ syy,
                     const float *__restrict__ szz, const float *__restrict__ sxy, const float *__restrict__ sxz,
                     const float *__restrict__ syz, const float *__restrict__ density, float *__restrict__ vx,
                     float *__restrict__ vy, float *__restrict__ vz)
{
    const int row = n, layer = n * n;
    const float one = 1.125f, two = -0.041666667f;
    int i = 2 + thread(), j = second_index(2), k = 2 + blockIdx.z, at = k * layer + j * row + i;
    if (i >= n - 2 || j >= n - 2)
        return;
    float weight = by / (density[at] + 1);
    vx[at] = weight * (one * (sxx[at + 1] - sxx[at]) + two * (sxx[at + 2] - sxx[at - 1]) + one * (sxy[at] - sxy[at - row]) +
                       two * (sxy[at + row] - sxy[at - 2 * row]) + one * (sxz[at] - sxz[at - layer]) +
                       two * (sxz[at + layer] - sxz[at - 2 * layer]));
    vy[at] = weight * (one * (sxy[at] - sxy[at - 1]) + two * (sxy[at + 1] - sxy[at - 2]) + one * (syy[at + row] - syy[at]) +
                       two * (syy[at + 2 * row] - syy[at - row]) + one * (syz[at] - syz[at - layer]) +
                       two * (syz[at + layer] - syz[at - 2 * layer]));
    vz[at] = weight * (one * (sxz[at] - sxz[at - 1]) + two * (sxz[at + 1] - sxz[at - 2]) + one * (syz[at] - syz[at - row]) +
                       two * (syz[at + row] - syz[at - 2 * row]) + one * (szz[at + layer] - szz[at]) +
                       two * (szz[at + 2 * layer] - szz[at - layer]));
}

__global__ void ghosts_x(int n, const float *__restrict__ u, float *__restrict__ buffer)
{
    int j = thread(), k = blockIdx.y;
    buffer[k * n + j] = u[(k * n + j) * n + 1];
    buffer[n * n + k * n + j] = u[(k * n + j) * n + n - 2];
}

__global__ void ghosts_y(int n, const float *__restrict__ u, float *__restrict__ buffer)
{
    int i = thread(), k = blockIdx.y;
    buffer[2 * n * n + k * n + i] = u[(k * n + 1) * n + i];
    buffer[3 * n * n + k * n + i] = u[(k * n + n - 2) * n + i];
}

__global__ void ghosts_z(int n, const float *__restrict__ u, float *__restrict__ buffer)
{
    int i = thread(), j = blockIdx.y;
    buffer[4 * n * n + j * n + i] = u[(n + j) * n + i];
    buffer[5 * n * n + j * n + i] = u[((n - 2) * n + j) * n + i];
}

__global__ void listed_gas(int n, float omega, const int *__restrict__ links, const float *__restrict__ from,
                           float *__restrict__ to)
{
    int i = thread();
    float f[LINKS], density = 0, u = 0, v = 0, w = 0;
#pragma unroll
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
    float square = 1.5f * (u * u + v * v + w * w);
#pragma unroll
    for (int q = 0; q < LINKS; q++) {
        float part = q == 0 ? 1.0f / 3 : q < 7 ? 1.0f / 18 : 1.0f / 36;
        float along = along_x(q) * u + along_y(q) * v + along_z(q) * w;
        to[q * n + i] = f[q] + omega * (part * density * (1 + 3 * along + 4.5f * along * along - square) - f[q]);
    }
}

__global__ void jacobians(const double *__restrict__ states, double *__restrict__ y)
{
    int i = thread();
    const double *u = states + FIVE * i;
    double *j = y + FIVE * FIVE * i;
    double by = 1 / (u[0] + 0.5), square = by * by, qs = 0.5 * square * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]), p = u[1] * by;
    j[0] = 0;
    j[1] = 1;
    j[2] = 0;
    j[3] = 0;
    j[4] = 0;
    j[5] = -p * p + 0.4 * qs;
    j[6] = 1.6 * p;
    j[7] = -0.4 * u[2] * by;
    j[8] = -0.4 * u[3] * by;
    j[9] = 0.4;
    j[10] = -u[1] * u[2] * square;
    j[11] = u[2] * by;
    j[12] = p;
    j[13] = 0;
    j[14] = 0;
    j[15] = -u[1] * u[3] * square;
    j[16] = u[3] * by;
    j[17] = 0;
    j[18] = p;
    j[19] = 0;
    j[20] = (0.8 * qs - 1.4 * u[4] * by) * p;
    j[21] = 1.4 * u[4] * by - 0.4 * (qs + p * p);
    j[22] = -0.4 * u[2] * u[1] * square;
    j[23] = -0.4 * u[3] * u[1] * square;
    j[24] = 1.4 * p;
}

__global__ void first_ways(const int *__restrict__ wall, int *__restrict__ to) { to[thread()] = wall[thread()] & 1023; }

__global__ void shortest_ways(int columns, const int *__restrict__ wall, const int *__restrict__ from, int *__restrict__ to)
{
    int i = thread(), least = from[i];
    if (i > 0)
        least = min(least, from[i - 1]);
    if (i < columns - 1)
        least = min(least, from[i + 1]);
    to[i] = least + (wall[i] & 1023);
}

__global__ void leucocytes(int n, const int *__restrict__ dx, const int *__restrict__ dy, const float *__restrict__ directions,
                           const float *__restrict__ gx, const float *__restrict__ gy, float *__restrict__ y)
{
    int j = 20 + thread(), i = second_index(20);
    if (i >= n - 20 || j >= n - 20)
        return;
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
        most = fmaxf(most, mean * mean / variance);
    }
    y[i * n + j] = most;
}

__global__ void gained(int candidate, const float *__restrict__ x, const float *__restrict__ weight,
                       const float *__restrict__ cost, const int *__restrict__ centre, unsigned char *__restrict__ moved,
                       float *__restrict__ lower, float *__restrict__ gain)
{
    int i = thread();
    __shared__ float there[TRAITS];
    if (threadIdx.x < TRAITS)
        there[threadIdx.x] = x[candidate * TRAITS + threadIdx.x];
    __syncthreads();
    float square = 0, total = 0;
#pragma unroll
    for (int d = 0; d < TRAITS; d++) {
        float by = x[i * TRAITS + d] - there[d];
        square += by * by;
    }
    float change = square * weight[i] - 5 * cost[i];
    if (change < 0)
        total = change;
    else
        atomicAdd(&lower[centre[i] % CENTRES], change);
    moved[i] = change < 0;
    total = sum_of_block(total);
    if (threadIdx.x == 0)
        atomicAdd(gain, total);
}

__global__ void rank_2k(int n, int m, float alpha, float beta, const float *__restrict__ a, const float *__restrict__ b,
                        float *__restrict__ y)
{
    if (blockIdx.x > blockIdx.y)
        return;
    __shared__ float ai[16][17], aj[16][17], bi[16][17], bj[16][17];
    int tx = threadIdx.x, ty = threadIdx.y, j = blockIdx.x * 16 + tx, i = blockIdx.y * 16 + ty, other = blockIdx.x * 16 + ty;
    float sum = beta * (i - j);
    for (int k = 0; k < m; k += 16) {
        ai[ty][tx] = a[i * m + k + tx];
        bi[ty][tx] = b[i * m + k + tx];
        aj[ty][tx] = a[other * m + k + tx];
        bj[ty][tx] = b[other * m + k + tx];
        __syncthreads();
#pragma unroll
        for (int t = 0; t < 16; t++)
            sum += aj[tx][t] * alpha * bi[ty][t] + bj[tx][t] * alpha * ai[ty][t];
        __syncthreads();
    }
    if (j <= i)
        y[i * n + j] = sum;
}

__global__ void along(int n, float k, const float *__restrict__ x, float *__restrict__ one)
{
    int i = thread();
    float last = 0, before = 0;
    for (int j = 0; j < n; j++) {
        float now = k * x[i * n + j] + 0.5f * last + 0.2f * before;
        one[i * n + j] = now;
        before = last;
        last = now;
    }
}

__global__ void back(int n, float k, const float *__restrict__ one, float *__restrict__ y)
{
    int i = thread();
    float last = 0, before = 0;
    for (int j = n - 1; j >= 0; j--) {
        float now = k * one[i * n + j] + 0.5f * last + 0.2f * before;
        y[i * n + j] = now;
        before = last;
        last = now;
    }
}

__global__ void by_rows(int m, const float *__restrict__ a, const float *__restrict__ p, float *__restrict__ q)
{
    float sum = 0;
    for (int j = threadIdx.x; j < m; j += blockDim.x)
        sum += a[blockIdx.x * m + j] * p[j];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        q[blockIdx.x] = sum;
}

__global__ void by_columns(int n, int m, const float *__restrict__ a, const float *__restrict__ r, float *__restrict__ s)
{
    __shared__ float parts[32][33];
    int j = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int i = threadIdx.y; i < n; i += 32)
        sum += a[i * m + j] * r[i];
    parts[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    sum = sum_of_lanes(parts[threadIdx.x][threadIdx.y], WARP);
    if (threadIdx.x == 0)
        s[blockIdx.x * 32 + threadIdx.y] = sum;
}

__global__ void copied(const float *__restrict__ from, float *__restrict__ to) { to[thread()] = from[thread()]; }

__global__ void ways_through(int n, int k, float *way)
{
    int j = thread(), i = blockIdx.y;
    float by = way[i * n + k] + way[k * n + j];
    if (by < way[i * n + j])
        way[i * n + j] = by;
}

__global__ void monotonic(int n, const int *__restrict__ beside, const int *__restrict__ edges, const double *__restrict__ xi,
                          const double *__restrict__ eta, const double *__restrict__ zeta, const double *__restrict__ volume,
                          double *__restrict__ quadratic, double *__restrict__ linear)
{
    int i = thread(), edge = edges[i];
    double x = xi[i], y = eta[i], z = zeta[i], room = volume[i];
    double before = (edge & 3) == 0 ? xi[beside[i]] : (edge & 3) == 1 ? x : 0;
    double phi_xi = limited_slope(before, x, edge & 4 ? x : xi[beside[n + i]]);
    before = (edge >> 3 & 3) == 0 ? eta[beside[2 * n + i]] : (edge >> 3 & 3) == 1 ? y : 0;
    double phi_eta = limited_slope(before, y, edge & 32 ? 0 : eta[beside[3 * n + i]]);
    double phi_zeta = limited_slope(zeta[beside[4 * n + i]], z, zeta[beside[5 * n + i]]);
    double of_square = 0, of_line = 0;
    if (room <= 0.9) {
        double dx = fmin(x - 0.5, 0.0), dy = fmin(y - 0.5, 0.0), dz = fmin(z - 0.5, 0.0), mass = 1 / (room + 0.1);
        of_line = -0.5 * mass * (dx * (1 - phi_xi) + dy * (1 - phi_eta) + dz * (1 - phi_zeta));
        of_square =
            0.66 * mass *
            (dx * dx * (1 - phi_xi * phi_xi) + dy * dy * (1 - phi_eta * phi_eta) + dz * dz * (1 - phi_zeta * phi_zeta));
    }
    linear[i] = of_line;
    quadratic[i] = of_square;
}

__global__ void gas_energy(const double *__restrict__ energy, const double *__restrict__ pressure,
                           const double *__restrict__ viscous, const double *__restrict__ compression,
                           double *__restrict__ next_energy, double *__restrict__ next_pressure,
                           double *__restrict__ next_viscous)
{
    int i = thread();
    double squeezed = compression[i], thick = viscous[i], old = pressure[i] + thick;
    double volume = 0.5 + squeezed, half = 1 / (0.5 * volume + 0.5) - 1, by = 0.1 - 0.2 * squeezed;
    double e = fmax(energy[i] - 0.5 * by * old, -1e15), q = 0, last = 0, p = pressure_of(e, half, volume);
    if (by <= 0) {
        double sound = (2.0 / 3 * e + volume * volume * 2 * p) / 0.8;
        q = (sound <= 1e-30 ? 1e-15 : sqrt(sound)) * thick + 0.3 * thick;
    }
    e += 0.5 * by * (3 * old - 4 * (p + q));
    if (fabs(e) < 1e-7)
        e = 0;
    e = fmax(e, -1e15);
    p = pressure_of(e, squeezed, volume);
    if (by <= 0) {
        double sound = (2.0 / 3 * e + volume * volume * 2 * p) / 0.8;
        last = (sound <= 1e-30 ? 1e-15 : sqrt(sound)) * thick + 0.3 * thick;
    }
    e -= (7 * old - 8 * (p + q) + p + last) * by / 6;
    next_energy[i] = e;
    next_pressure[i] = pressure_of(e, squeezed, volume);
    next_viscous[i] = fabs(last) < 1e-7 ? 0 : last;
}

__global__ void clover_viscosity(int n, const double *__restrict__ u, const double *__restrict__ v,
                                 const double *__restrict__ density, const double *__restrict__ pressure,
                                 double *__restrict__ y)
{
    int i = 1 + thread(), j = second_index(1), row = n + 2, at = j * row + i;
    if (i > n || j > n)
        return;
    double u00 = u[at], u01 = u[at + 1], u10 = u[at + row], u11 = u[at + row + 1];
    double v00 = v[at], v01 = v[at + 1], v10 = v[at + row], v11 = v[at + row + 1];
    double ugrad = (u01 + u11) - (u00 + u10), vgrad = (v10 + v11) - (v00 + v01);
    double strain = 0.5 * (u10 + u11 - u00 - u01) + 0.5 * (v01 + v11 - v00 - v10);
    double px = (pressure[at + 1] - pressure[at - 1]) * 0.5, py = (pressure[at + row] - pressure[at - row]) * 0.5;
    double px2 = px * px, py2 = py * py, result = 0;
    double limiter = (0.5 * ugrad * px2 + 0.5 * vgrad * py2 + strain * px * py) / fmax(px2 + py2, 1e-16);
    if (limiter <= 0 && ugrad + vgrad < 0) {
        px = copysign(fmax(1e-16, fabs(px)), px);
        py = copysign(fmax(1e-16, fabs(py)), py);
        double grad = sqrt(px * px + py * py), g = fmin(fabs(grad / px), fabs(grad / py));
        result = 2 * density[at] * g * g * limiter * limiter;
    }
    y[at] = result;
}

__global__ void jacobi_error(int n, double rx, double ry, const double *__restrict__ kx, const double *__restrict__ ky,
                             const double *__restrict__ u0, const double *__restrict__ u, double *__restrict__ y,
                             double *__restrict__ left)
{
    int i = 1 + thread(), j = second_index(1), row = n + 2, at = j * row + i;
    __shared__ double parts[8];
    double error = 0;
    if (i <= n && j <= n) {
        double now = (u0[at] + rx * (kx[at + 1] * u[at + 1] + kx[at] * u[at - 1]) +
                      ry * (ky[at + row] * u[at + row] + ky[at] * u[at - row])) /
                     (1 + rx * (kx[at] + kx[at + 1]) + ry * (ky[at] + ky[at + row]));
        y[at] = now;
        error = fabs(now - u[at]);
    }
    error = sum_of_lanes(error, WARP);
    if (threadIdx.x == 0)
        parts[threadIdx.y] = error;
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0)
        atomicAdd(left, parts[0] + parts[1] + parts[2] + parts[3] + parts[4] + parts[5] + parts[6] + parts[7]);
}

__global__ void blended(const uchar4 *__restrict__ over, const uchar4 *__restrict__ under, uchar4 *__restrict__ y)
{
    uchar4 p = over[thread()], q = under[thread()];
    y[thread()] = make_uchar4(mixed_bytes(p.x, q.x, p.w), mixed_bytes(p.y, q.y, p.w), mixed_bytes(p.z, q.z, p.w),
                              mixed_bytes(255, q.w, p.w));
}

__global__ void morton(const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ z,
                       unsigned long long *__restrict__ code)
{
    int i = thread();
    unsigned long long p = x[i] * 2097151.0f, q = y[i] * 2097151.0f, r = z[i] * 2097151.0f;
    code[i] = spread(p) | spread(q) << 1 | spread(r) << 2;
}

__global__ void bit_reversed(int n, int bits, const float2 *__restrict__ x, float2 *__restrict__ y)
{
    int i = thread(), b = blockIdx.y;
    y[b * n + (__brev(i) >> (32 - bits))] = x[b * n + i];
}

__global__ void transposed_sum(int n, const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ y)
{
    __shared__ float tile[32][33];
    int tx = threadIdx.x;
    for (int t = threadIdx.y; t < 32; t += 8)
        tile[t][tx] = b[(blockIdx.x * 32 + t) * n + blockIdx.y * 32 + tx];
    __syncthreads();
    for (int t = threadIdx.y; t < 32; t += 8) {
        int at = (blockIdx.y * 32 + t) * n + blockIdx.x * 32 + tx;
        y[at] = a[at] + 0.5f * tile[tx][t];
    }
}

__global__ void masked_softmax(int n, float scale, const float *__restrict__ x, float *__restrict__ y)
{
    int row = thread() / WARP, lane = threadIdx.x % WARP, i = row % n;
    const float *from = x + (size_t)row * n;
    float *to = y + (size_t)row * n, most = -INFINITY, sum = 0;
    for (int j = lane; j <= i; j += WARP)
        most = fmaxf(most, scale * from[j]);
    most = of_warp(most, Most());
    for (int j = lane; j <= i; j += WARP)
        sum += expf(scale * from[j] - most);
    sum = of_warp(sum, Sum());
    for (int j = lane; j < n; j += WARP)
        to[j] = j <= i ? expf(scale * from[j] - most) / sum : 0;
}

__global__ void normal_deviates(unsigned seed, float4 *__restrict__ y)
{
    unsigned c0 = thread(), c1 = 0, c2 = 0, c3 = 0, k0 = seed, k1 = 0x1234567;
#pragma unroll
    for (int round = 0; round < 10; round++) {
        unsigned high0 = __umulhi(c2, 0xcd9e8d57u) ^ c1 ^ k0, high1 = __umulhi(c0, 0xd2511f53u) ^ c3 ^ k1;
        c1 = c2 * 0xcd9e8d57u;
        c3 = c0 * 0xd2511f53u;
        c0 = high0;
        c2 = high1;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    float4 four;
    float r = sqrtf(-2 * logf((c0 >> 8) * 0x1p-24f + 0x1p-25f)), v = 6.2831853f * ((c1 >> 8) * 0x1p-24f);
    four.x = r * cosf(v);
    four.y = r * sinf(v);
    r = sqrtf(-2 * logf((c2 >> 8) * 0x1p-24f + 0x1p-25f));
    v = 6.2831853f * ((c3 >> 8) * 0x1p-24f);
    four.z = r * cosf(v);
    four.w = r * sinf(v);
    y[thread()] = four;
}

__global__ void newton(int n, double edge, unsigned char *__restrict__ y)
{
    int j = thread(), i = second_index(0), steps = 0;
    double x = edge * (2.0 * j / n - 1) + 1e-3, v = edge * (2.0 * i / n - 1) + 1e-3, fx, fy;
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

__global__ void common_divisors(const int *__restrict__ x, const int *__restrict__ y, int *__restrict__ z)
{
    unsigned p = x[thread()] + 1, q = y[thread()] + 1;
    while (q != 0) {
        unsigned rest = p % q;
        p = q;
        q = rest;
    }
    z[thread()] = p;
}

__global__ void embedded(const int *__restrict__ ids, const float4 *__restrict__ words, const float4 *__restrict__ places,
                         float4 *__restrict__ y)
{
    int t = blockIdx.x, d = threadIdx.x;
    float4 word = words[ids[t] % 32768 * (WIDE / 4) + d], place = places[t % PLACES * (WIDE / 4) + d];
    y[t * (WIDE / 4) + d] = make_float4(22.627417f * word.x + place.x, 22.627417f * word.y + place.y,
                                        22.627417f * word.z + place.z, 22.627417f * word.w + place.w);
}

__global__ void entered(int boxes, const ray *__restrict__ rays, const bounds *__restrict__ box, float *__restrict__ nearest)
{
    __shared__ bounds there[BOXES];
    for (int k = threadIdx.x; k < boxes; k += blockDim.x)
        there[k] = box[k];
    __syncthreads();
    ray here = rays[thread()];
    float least = 1e30f;
    for (int k = 0; k < boxes; k++) {
        float t = enters(here, there[k]);
        if (t >= 0 && t < least)
            least = t;
    }
    nearest[thread()] = least < 1e30f ? least : -1;
}

__global__ void turned(const float4 *__restrict__ turns, const vector *__restrict__ x, vector *__restrict__ y)
{
    int i = thread();
    float4 q = turns[i];
    turn by = {q.x, q.y, q.z, q.w};
    y[i] = turned_by(by, x[i]);
}

/// Blocks of 32 by 8 threads for a plane of so many cells, and a number of planes.
static dim3 planes(int across, int along, int count = 1) { return dim3((across + 31) / 32, (along + 7) / 8, count); }

int main()
{
    std::vector<float> numbers(N), others(N), of_directions(2 * OF_CIRCLE);
    std::vector<int> indices(N), of_columns(N), of_rows(ROWS + 1), of_parents(ROWS), of_order(64), of_first(FILTERS + 2);
    std::vector<int> of_dx(CIRCLES * OF_CIRCLE), of_dy(CIRCLES * OF_CIRCLE), of_links(LINKS * ROWS);
    std::vector<int> of_neighbours(NEIGHBOURS * PARTICLES), of_beside(6 * ELEMENTS), of_edges(ELEMENTS);
    std::vector<unsigned> of_checks(256);
    std::vector<double> doubles(N / 2);
    std::vector<cell> cells(CELLS);
    std::vector<ray> of_rays(RAYS);
    std::vector<bounds> of_boxes(BOXES);
    fill_numbers(numbers.data(), others.data(), indices.data(), of_columns.data(), doubles.data());
    fill_rows(indices.data(), of_rows.data());
    fill_parents(indices.data(), of_parents.data());
    fill_cells(cells.data(), 0, 0, 0.5f, 0.5f, 0.5f, 1);
    fill_order(of_order.data());
    fill_filters(of_first.data());
    fill_checks(of_checks.data());
    fill_links(of_links.data());
    fill_circles(of_dx.data(), of_dy.data(), of_directions.data());
    fill_neighbours(indices.data(), of_neighbours.data());
    fill_elements(indices.data(), of_beside.data(), of_edges.data());
    fill_rays(numbers.data(), of_rays.data(), of_boxes.data());
    float *a = copy(numbers), *b = copy(others), *directions = copy(of_directions);
    int *at = copy(indices), *column = copy(of_columns), *rows = copy(of_rows), *parent = copy(of_parents);
    int *order = copy(of_order), *first = copy(of_first), *dx = copy(of_dx), *dy = copy(of_dy), *links = copy(of_links);
    int *neighbours = copy(of_neighbours), *beside = copy(of_beside), *edges = copy(of_edges);
    unsigned *checks = copy(of_checks);
    double *wide = copy(doubles);
    cell *tree = copy(cells);
    ray *rays = copy(of_rays);
    bounds *boxes = copy(of_boxes);
    check(cudaMalloc(&c, 4L * N));
    double *out = (double *)c;
    int *ints = (int *)c;
    unsigned char *bytes = (unsigned char *)at, *other_bytes = (unsigned char *)column, *bytes_out = (unsigned char *)c;
    const int square = SQUARE * SQUARE, cube = TURBULENT * TURBULENT * TURBULENT, earth = EARTH * EARTH * EARTH / 2,
              plane = (CLOVER + 2) * (CLOVER + 2);
    const int T = THREADS;
    dim3 threads(32, 8), tall(32, 32);
    measure<double>("remapped", LAYERS * COLUMNS,
                    [=] { remapped<<<COLUMNS / 128, 128>>>(COLUMNS, wide, wide + LAYERS * COLUMNS, out); });
    measure<double>("clouds", LAYERS * COLUMNS, [=] { clouds<<<COLUMNS / 128, 128>>>(COLUMNS, wide, out); });
    measure<float>("depths", SOUNDINGS * LAYERS * PARTS, [=] {
        depths<<<SOUNDINGS * LAYERS * PARTS / T, T>>>(a, b, a + SOUNDINGS * LAYERS, b + SOUNDINGS * LAYERS, c);
    });
    measure<float>("tree_walk", 3 * BODIES, [=] { tree_walk<<<BODIES / 128, 128>>>(CELLS, 0.5f, tree, a, b, a + BODIES, c); });
    measure<double>("overlapping", SHELLS * SHELLS, [=] {
        overlapping<<<planes(SHELLS, SHELLS), threads>>>(SHELLS, wide, wide + 4 * SHELLS, wide + 8 * SHELLS, out);
    });
    measure<float>("nuclear", ORBITALS * ORBITALS,
                   [=] { nuclear<<<planes(ORBITALS, ORBITALS), threads>>>(ORBITALS, ATOMS, (float4 *)a, (float4 *)b, c); });
    measure<int>("coded", BLOCKS, [=] { coded<<<BLOCKS / T, T>>>(order, (short *)at, ints); });
    measure<short>("lifted", square,
                   [=] { lifted<<<dim3(SQUARE / 2 / T, SQUARE), T>>>(SQUARE, (short *)at, (short *)c); });
    measure<unsigned char>("deblocked", square,
                           [=] { deblocked<<<dim3(SQUARE / 8 / T, SQUARE), T>>>(SQUARE, 40, 120, bytes, bytes_out); });
    measure<int>("hadamard", square / 16,
                 [=] { hadamard<<<planes(SQUARE / 4, SQUARE / 4), threads>>>(SQUARE, bytes, other_bytes, ints); });
    measure<float>("goertzel", FRAMES * TONES, [=] { goertzel<<<FRAMES, TONES>>>(a, b, c); });
    measure<float>("resampled", N / 2, [=] { resampled<<<N / 2 / T, T>>>(N / 2, a, b, c); });
    measure<float>("autocorrelated", FRAMES * LAGS, [=] { autocorrelated<<<FRAMES, T>>>(a, c); });
    measure<float>("filter_bank", SPECTRA * FILTERS, [=] { filter_bank<<<SPECTRA, FILTERS>>>(first, a, b, c); });
    measure<float>("page_rank", ROWS + 1, [=] {
        check(cudaMemsetAsync(c + ROWS, 0, 4));
        page_rank<<<ROWS / T, T>>>(ROWS, rows, column, at, a, c, c + ROWS);
    });
    measure<unsigned char>("coloured", ROWS, [=] { coloured<<<ROWS / T, T>>>(ROWS, rows, column, bytes, bytes_out); });
    measure<int>("hooked", ROWS, [=] { hooked<<<ROWS / T, T>>>(parent, ints); });
    measure<unsigned char>("common_prefixes", ROWS,
                           [=] { common_prefixes<<<ROWS / T, T>>>(ROWS, at, other_bytes, bytes_out); });
    measure<unsigned>("checked_records", RECORDS,
                      [=] { checked_records<<<RECORDS / 128, 128>>>(checks, bytes, (unsigned *)c); });
    measure<int>("parsed", FIELDS, [=] { parsed<<<FIELDS / T, T>>>(bytes, ints); });
    measure<double>("sensitivities", 3 * OPTIONS, [=] {
        sensitivities<<<OPTIONS / T, T>>>(OPTIONS, wide, wide + 2 * OPTIONS, out, out + OPTIONS, out + 2 * OPTIONS);
    });
    measure<float>("at_risk", SCENARIOS, [=] { at_risk<<<SCENARIOS, T>>>(POSITIONS, a, column, b, b + POSITIONS, c); });
    measure<float>("convolved", IMAGES * CHANNELS * EDGE * EDGE,
                   [=] { convolved<<<dim3((EDGE * EDGE + T - 1) / T, CHANNELS, IMAGES), T>>>(a, b, c); });
    measure<float>("weight_gradient", CHANNELS * CHANNELS * 9,
                   [=] { weight_gradient<<<CHANNELS * CHANNELS * 9, T>>>(a, b, c); });
    measure<float>("rotary", TOKENS * HEADS * 2 * HALF,
                   [=] { rotary<<<TOKENS * HEADS * HALF / T, T>>>(a, b, b + PLACES * HALF, c); });
    measure<float>("dropped", square, [=] { dropped<<<dim3(SQUARE / T, SQUARE), T>>>(SQUARE, 12345, a, b, c); });
    measure<float>("unpooled", POOLS * (2 * POOLED + 1) * (2 * POOLED + 1), [=] {
        check(cudaMemsetAsync(c, 0, 4L * POOLS * (2 * POOLED + 1) * (2 * POOLED + 1)));
        unpooled<<<planes(POOLED, POOLED, POOLS), threads>>>(a, b, c);
    });
    float *sum;
    check(cudaMalloc(&sum, 4));
    measure<float>("clipped", N, [=] {
        check(cudaMemsetAsync(sum, 0, 4));
        squares<<<1056, T>>>(N, a, sum);
        clipped<<<N / T, T>>>(100, a, sum, c);
    });
    measure<float>("byte_product", WORDS * WORDS,
                   [=] { byte_product<<<dim3(WORDS / 32, WORDS / 32), tall>>>(WORDS, 1e-3f, (char *)at, (char *)column, c); });
    measure<double>("lennard_jones", 3 * PARTICLES,
                    [=] { lennard_jones<<<PARTICLES / 128, 128>>>(PARTICLES, (double4 *)wide, neighbours, out); });
    measure<double>("turbulence", cube, [=] {
        turbulence<<<planes(TURBULENT, TURBULENT, TURBULENT - 2), threads>>>(TURBULENT, 10, wide, wide + TURBULENT, wide + cube,
                                                                             wide + 2 * cube, out);
    });
    measure<float>("rock", 3 * earth, [=] {
        rock<<<planes(EARTH, EARTH, EARTH / 2 - 4), threads>>>(EARTH, 0.1f, a, a + earth, a + 2 * earth, a + 3 * earth, b,
                                                               b + earth, b + 2 * earth, c, c + earth, c + 2 * earth);
    });
    measure<float>("ghosts", 6 * EARTH * EARTH, [=] {
        ghosts_x<<<dim3(EARTH / T, EARTH), T>>>(EARTH, a, c);
        ghosts_y<<<dim3(EARTH / T, EARTH), T>>>(EARTH, a, c);
        ghosts_z<<<dim3(EARTH / T, EARTH), T>>>(EARTH, a, c);
    });
    measure<float>("listed_gas", LINKS * ROWS, [=] { listed_gas<<<ROWS / T, T>>>(ROWS, 0.7f, links, a, c); });
    measure<double>("jacobians", 25 * (ROWS / 4), [=] { jacobians<<<ROWS / 4 / 128, 128>>>(wide, out); });
    measure<int>("shortest_ways", 2 * ROWS, [=] {
        first_ways<<<ROWS / T, T>>>(at, ints);
        for (int t = 1; t < STEPS; t++)
            shortest_ways<<<ROWS / T, T>>>(ROWS, at + t * ROWS, t % 2 ? ints : ints + ROWS, t % 2 ? ints + ROWS : ints);
    });
    measure<float>("leucocytes", LEUCOCYTES * LEUCOCYTES,
                   [=] { leucocytes<<<planes(LEUCOCYTES, LEUCOCYTES), threads>>>(LEUCOCYTES, dx, dy, directions, a, b, c); });
    measure<float>("gained", CENTRES, [=] {
        gained<<<POINTS / T, T>>>(17, a, b, b + POINTS, at, bytes_out + 8 * CENTRES, c, c + CENTRES);
    });
    measure<float>("rank_2k", UPDATED * UPDATED, [=] {
        rank_2k<<<dim3(UPDATED / 16, UPDATED / 16), dim3(16, 16)>>>(UPDATED, DEEP, 0.7f, 0.01f, a, b, c);
    });
    measure<float>("along_and_back", square / 4, [=] {
        along<<<SQUARE / 2 / 32, 32>>>(SQUARE / 2, 0.3f, a, c + square);
        back<<<SQUARE / 2 / 32, 32>>>(SQUARE / 2, 0.3f, c + square, c);
    });
    measure<float>("both_products", TALL + SQUARE / 2, [=] {
        by_rows<<<TALL, T>>>(SQUARE / 2, a, b, c);
        by_columns<<<SQUARE / 2 / 32, tall>>>(TALL, SQUARE / 2, a, b + SQUARE, c + TALL);
    });
    measure<float>("ways_through", CITIES * CITIES, [=] {
        copied<<<CITIES * CITIES / T, T>>>(a, c);
        for (int k = 0; k < THROUGH; k++)
            ways_through<<<dim3(CITIES / T, CITIES), T>>>(CITIES, k, c);
    });
    measure<double>("monotonic", 2 * ELEMENTS, [=] {
        monotonic<<<ELEMENTS / 128, 128>>>(ELEMENTS, beside, edges, wide, wide + ELEMENTS, wide + 2 * ELEMENTS,
                                           wide + 3 * ELEMENTS, out, out + ELEMENTS);
    });
    measure<double>("gas_energy", 3 * GAS, [=] {
        gas_energy<<<GAS / 128, 128>>>(wide, wide + GAS, wide + 2 * GAS, wide + 3 * GAS, out, out + GAS, out + 2 * GAS);
    });
    measure<double>("clover_viscosity", plane, [=] {
        clover_viscosity<<<planes(CLOVER, CLOVER), threads>>>(CLOVER, wide, wide + 1000, wide + plane, wide + 2 * plane, out);
    });
    measure<double>("jacobi_error", plane + 1, [=] {
        check(cudaMemsetAsync(out + plane, 0, 8));
        jacobi_error<<<planes(CLOVER, CLOVER), threads>>>(CLOVER, 0.2, 0.3, wide, wide + 1000, wide + plane, wide + 2 * plane,
                                                          out, out + plane);
    });
    measure<unsigned char>("blended", 4 * PIXELS,
                           [=] { blended<<<PIXELS / T, T>>>((uchar4 *)at, (uchar4 *)column, (uchar4 *)c); });
    measure<unsigned long long>("morton", CODES,
                                [=] { morton<<<CODES / T, T>>>(a, b, a + CODES, (unsigned long long *)c); });
    measure<float>("bit_reversed", 2 * BATCH * SPECTRUM,
                   [=] { bit_reversed<<<dim3(SPECTRUM / T, BATCH), T>>>(SPECTRUM, 20, (float2 *)a, (float2 *)c); });
    measure<float>("transposed_sum", square,
                   [=] { transposed_sum<<<dim3(SQUARE / 32, SQUARE / 32), threads>>>(SQUARE, a, b, c); });
    measure<float>("masked_softmax", MATRICES * MATRIX * MATRIX,
                   [=] { masked_softmax<<<MATRICES * MATRIX * WARP / T, T>>>(MATRIX, 3, a, c); });
    measure<float>("normal_deviates", 4 * QUADS, [=] { normal_deviates<<<QUADS / T, T>>>(99, (float4 *)c); });
    measure<unsigned char>("newton", PLANE * PLANE, [=] { newton<<<planes(PLANE, PLANE), threads>>>(PLANE, 1.5, bytes_out); });
    measure<int>("common_divisors", PAIRS, [=] { common_divisors<<<PAIRS / T, T>>>(at, column, ints); });
    measure<float>("embedded", TOKENS * WIDE,
                   [=] { embedded<<<TOKENS, WIDE / 4>>>(at, (float4 *)a, (float4 *)b, (float4 *)c); });
    measure<float>("entered", RAYS, [=] { entered<<<RAYS / 128, 128>>>(BOXES, rays, boxes, c); });
    measure<float>("turned", 3 * TURNED, [=] { turned<<<TURNED / T, T>>>((float4 *)a, (vector *)b, (vector *)c); });
    return 0;
}
