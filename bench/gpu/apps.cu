// The loops of apps.c in CUDA, as a programmer who knows it writes them first: a thread for each element, a
// block or a warp for a row, shared memory where a block has something in common.
//
//     name median-microseconds checksum
#include "apps.h"
#include "measured.cuh"

__global__ void hotspot(int n, const float *__restrict__ power, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread(), i = blockIdx.y * blockDim.y + threadIdx.y, at = i * n + j;
    float here = x[at], up = i > 0 ? x[at - n] : here, down = i < n - 1 ? x[at + n] : here;
    float left = j > 0 ? x[at - 1] : here, right = j < n - 1 ? x[at + 1] : here;
    float rows = up + down - 2 * here, columns = left + right - 2 * here;
    y[at] = here + 0.3f * (power[at] + 0.1f * rows + 0.2f * columns + 0.05f * (0.8f - here));
}

__global__ void speckle(int n, const int *__restrict__ before, const int *__restrict__ after, const float *__restrict__ x,
                        float *__restrict__ y)
{
    float q0 = 0.05f;
    int j = thread(), i = blockIdx.y;
    float here = x[i * n + j] + 0.5f;
    float up = x[before[i] * n + j] + 0.5f - here, down = x[after[i] * n + j] + 0.5f - here;
    float left = x[i * n + before[j]] + 0.5f - here, right = x[i * n + after[j]] + 0.5f - here;
    float squares = (up * up + down * down + left * left + right * right) / (here * here);
    float laplace = (up + down + left + right) / here, den = 1 + 0.25f * laplace;
    float q = (0.5f * squares - 0.0625f * laplace * laplace) / (den * den);
    float by = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
    y[i * n + j] = by < 0 ? 0 : by > 1 ? 1 : by;
}

__global__ void diffusion(int n, const double *__restrict__ w, const double *__restrict__ x, double *__restrict__ y)
{
    int k = thread() + 1, j = blockIdx.y + 1, i = blockIdx.z + 1, at = (i * n + j) * n + k, plane = n * n;
    if (k >= n - 1)
        return;
    double here = x[at], of = w[at];
    y[at] = here + 0.05 * ((of + w[at + plane]) * (x[at + plane] - here) + (of + w[at - plane]) * (x[at - plane] - here) +
                           (of + w[at + n]) * (x[at + n] - here) + (of + w[at - n]) * (x[at - n] - here) +
                           (of + w[at + 1]) * (x[at + 1] - here) + (of + w[at - 1]) * (x[at - 1] - here));
}

__global__ void red_cube(int n, const float *__restrict__ f, float *u)
{
    int i = blockIdx.z + 1, j = blockIdx.y + 1, k = 1 + (i + j) % 2 + 2 * thread(), at = (i * n + j) * n + k;
    if (k < n - 1)
        u[at] = (u[at - n * n] + u[at + n * n] + u[at - n] + u[at + n] + u[at - 1] + u[at + 1] + f[at]) / 6;
}

__global__ void shallow(int n, const cell *__restrict__ x, cell *__restrict__ y)
{
    int j = thread() + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1, at = i * n + j;
    if (i >= n - 1 || j >= n - 1)
        return;
    cell here = x[at];
    cell right = through(here, x[at + 1]), left = through(x[at - 1], here);
    cell down = turned(through(turned(here), turned(x[at + n]))), up = turned(through(turned(x[at - n]), turned(here)));
    here.h -= 0.01f * (right.h - left.h + down.h - up.h);
    here.hu -= 0.01f * (right.hu - left.hu + down.hu - up.hu);
    here.hv -= 0.01f * (right.hv - left.hv + down.hv - up.hv);
    y[at] = here;
}

__global__ void weno(int n, const double *__restrict__ u, double *__restrict__ y)
{
    int j = thread() + 3, i = blockIdx.y;
    if (j >= n - 3)
        return;
    const double *x = u + (long)i * n + j;
    y[(long)i * n + j] = x[0] - 0.1 * (weighted(x[-2], x[-1], x[0], x[1], x[2]) - weighted(x[-3], x[-2], x[-1], x[0], x[1]));
}

__global__ void riemann(int n, const gas *__restrict__ x, flow *__restrict__ y)
{
    int i = thread();
    if (i >= n - 1)
        return;
    gas l = {x[i].density + 0.1, 4 * x[i].speed - 1, x[i].pressure + 0.1};
    gas r = {x[i + 1].density + 0.1, 4 * x[i + 1].speed - 1, x[i + 1].pressure + 0.1};
    y[i] = between(l, r);
}

__global__ void adiabats(int n, const double *__restrict__ x, double *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    double ratio = x[i] + 0.2, heat = x[n + i] + 0.5;
    y[i] = pow(ratio, 1.4) * heat + (ratio > 0.8 ? pow(heat, 1.0 / 3) : cbrt(ratio));
}

__global__ void mixture(int n, const double *__restrict__ amount, const double *__restrict__ heat, double *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    double has[SPECIES], change[SPECIES], by = 1 / (500 + 1000 * heat[i]);
    for (int s = 0; s < SPECIES; s++) {
        has[s] = amount[s * n + i];
        change[s] = 0;
    }
#pragma unroll
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

__global__ void edge_sums(int n, const edge *__restrict__ edges, const float *__restrict__ x, float *__restrict__ sum)
{
    int i = thread();
    if (i >= n)
        return;
    int p = edges[i].from % NODES, q = edges[i].to % NODES;
    float u = x[p], v = x[q], mean = 0.5f * (u + v), by = fabsf(u - v);
    atomicAdd(&sum[p], mean + by);
    atomicAdd(&sum[q], mean - 0.25f * by);
}

__global__ void deposit(int n, const float4 *__restrict__ p, float *__restrict__ density)
{
    int i = thread();
    if (i >= n)
        return;
    float4 charge = p[i];
    float x = charge.x * (GRID - 1), y = charge.y * (GRID - 1);
    int column = x, row = y;
    float ds = x - column, dr = y - row, *at = density + row * GRID + column;
    atomicAdd(&at[0], (1 - dr) * (1 - ds));
    atomicAdd(&at[1], (1 - dr) * ds);
    atomicAdd(&at[GRID], dr * (1 - ds));
    atomicAdd(&at[GRID + 1], dr * ds);
}

__global__ void push(int n, const float *__restrict__ ex, const float *__restrict__ ey, const float *__restrict__ bz,
                     const float4 *__restrict__ p, float4 *__restrict__ to)
{
    int i = thread();
    if (i >= n)
        return;
    float4 now = p[i];
    float x = now.x * (GRID - 1), y = now.y * (GRID - 1);
    int column = x, row = y;
    float ds = x - column, dr = y - row;
    float u = 0.05f * field_at(ex, row, column, dr, ds), v = 0.05f * field_at(ey, row, column, dr, ds);
    float t = 0.05f * field_at(bz, row, column, dr, ds), s = 2 * t / (1 + t * t);
    float vx = now.z + u, vy = now.w + v, wx = vx + vy * t, wy = vy - vx * t;
    now.z = vx + wy * s + u;
    now.w = vy - wx * s + v;
    now.x += 0.01f * now.z;
    now.y += 0.01f * now.w;
    now.x -= floorf(now.x);
    now.y -= floorf(now.y);
    to[i] = now;
}

__global__ void sort_into_cells(int n, const vec3 *__restrict__ p, unsigned *__restrict__ count, int *__restrict__ members)
{
    int i = thread();
    if (i >= n)
        return;
    vec3 at = p[i];
    int cell = ((int)(at.z * 32) * 64 + (int)(at.y * 64)) * 64 + (int)(at.x * 64);
    members[cell * SLOTS + atomicAdd(&count[cell], 1) % SLOTS] = i;
}

/// A block has as many bodies in shared memory as it has threads.
__global__ void gravity(int n, const body *__restrict__ x, force *__restrict__ y)
{
    __shared__ body others[128];
    int i = thread();
    body here = x[i];
    double fx = 0, fy = 0, fz = 0;
    for (int from = 0; from < n; from += 128) {
        others[threadIdx.x] = x[from + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 128; j++) {
            double dx = others[j].x - here.x, dy = others[j].y - here.y, dz = others[j].z - here.z;
            double near = rsqrt(dx * dx + dy * dy + dz * dz + 0.01), by = others[j].mass * near * near * near;
            fx += dx * by;
            fy += dy * by;
            fz += dz * by;
        }
        __syncthreads();
    }
    y[i] = {fx, fy, fz};
}

__global__ void hexahedra(int n, const int *__restrict__ corners, const double *__restrict__ stiffness, const double *__restrict__ x,
                          double *__restrict__ y)
{
    __shared__ double of_all[24 * 24];
    for (int k = threadIdx.x; k < 24 * 24; k += blockDim.x)
        of_all[k] = stiffness[k];
    __syncthreads();
    int e = thread();
    if (e >= n)
        return;
    double in[24];
    int node[8];
    for (int k = 0; k < 8; k++) {
        node[k] = corners[e * 8 + k] % CORNERS;
        for (int d = 0; d < 3; d++)
            in[k * 3 + d] = x[node[k] * 3 + d];
    }
#pragma unroll
    for (int i = 0; i < 24; i++) {
        double sum = 0;
        for (int j = 0; j < 24; j++)
            sum += of_all[i * 24 + j] * in[j];
        atomicAdd(&y[node[i / 3] * 3 + i % 3], sum);
    }
}

/// Sixteen lanes have a row.
__global__ void ranks(int n, const int *__restrict__ start, const int *__restrict__ from, const double *__restrict__ rank,
                      double *__restrict__ y)
{
    int i = thread() / 16, lane = threadIdx.x % 16;
    double sum = 0;
    for (int k = start[i] + lane; k < start[i + 1]; k += 16) {
        int j = from[k] % NODES;
        sum += rank[j] / (start[j + 1] - start[j]);
    }
    sum = sum_of_lanes(sum, 16);
    if (lane == 0)
        y[i] = 0.15 / n + 0.85 * sum;
}

__global__ void diagonals(int n, const double *__restrict__ value, const double *__restrict__ x, double *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    double sum = 0;
    for (int d = 0; d < DIAGONALS; d++) {
        int j = i + diagonal_at[d];
        if (j >= 0 && j < n)
            sum += value[d * n + i] * x[j];
    }
    y[i] = sum;
}

__global__ void inverses(int n, const float4 *__restrict__ x, float4 *__restrict__ y)
{
    int m = thread();
    if (m >= n)
        return;
    float t[4][8];
    for (int i = 0; i < 4; i++) {
        float4 row = x[m * 4 + i];
        t[i][0] = row.x, t[i][1] = row.y, t[i][2] = row.z, t[i][3] = row.w;
        t[i][i] += 4;
        for (int j = 0; j < 4; j++)
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
        y[m * 4 + i] = make_float4(t[i][4], t[i][5], t[i][6], t[i][7]);
}

/// Rows are swapped one by one, so that every index of the array is constant once the loops are unrolled.
__global__ void solves(int n, const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ y)
{
    int m = thread();
    if (m >= n)
        return;
    double t[5][6];
#pragma unroll
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++)
            t[i][j] = a[(i * 5 + j) * n + m] + (j == (i + 2) % 5 ? 4 : 0);
        t[i][5] = b[i * n + m];
    }
#pragma unroll
    for (int k = 0; k < 5; k++) {
#pragma unroll
        for (int i = k + 1; i < 5; i++)
            if (fabs(t[i][k]) > fabs(t[k][k]))
#pragma unroll
                for (int j = k; j < 6; j++) {
                    double other = t[i][j];
                    t[i][j] = t[k][j];
                    t[k][j] = other;
                }
#pragma unroll
        for (int i = k + 1; i < 5; i++) {
            double factor = t[i][k] / t[k][k];
#pragma unroll
            for (int j = k; j < 6; j++)
                t[i][j] -= factor * t[k][j];
        }
    }
#pragma unroll
    for (int i = 4; i >= 0; i--) {
        double sum = t[i][5];
#pragma unroll
        for (int j = i + 1; j < 5; j++)
            sum -= t[i][j] * t[j][5];
        y[i * n + m] = t[i][5] = sum / t[i][i];
    }
}

/// A block has a tile of each side in shared memory, and nothing to do above the diagonal.
__global__ void by_its_transpose(int n, int shared, const double *__restrict__ a, double *__restrict__ c)
{
    __shared__ double left[16][17], right[16][17];
    if (blockIdx.x > blockIdx.y)
        return;
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    double sum = 0;
    for (int from = 0; from < shared; from += 16) {
        left[threadIdx.y][threadIdx.x] = a[i * shared + from + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = a[(blockIdx.x * 16 + threadIdx.y) * shared + from + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += left[threadIdx.y][k] * right[threadIdx.x][k];
        __syncthreads();
    }
    if (j <= i)
        c[i * n + j] = sum;
}

__global__ void contraction(int n, const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y)
{
    int l = threadIdx.x, k = blockIdx.x * blockDim.y + threadIdx.y, j = blockIdx.y, i = blockIdx.z;
    float sum = 0;
    for (int m = 0; m < n; m++)
        sum += x[(i * n + m) * n + j] * w[(m * n + k) * n + l];
    y[((i * n + j) * n + k) * n + l] = sum;
}

__global__ void butterflies(int n, int half, const float2 *__restrict__ x, float2 *__restrict__ y)
{
    int i = thread();
    if (i >= n / 2)
        return;
    int k = i % half, at = 2 * (i - k) + k;
    float re, im;
    sincosf(-3.14159265f * k / half, &im, &re);
    float2 a = x[at], b = x[at + half], t = make_float2(b.x * re - b.y * im, b.x * im + b.y * re);
    y[at] = make_float2(a.x + t.x, a.y + t.y);
    y[at + half] = make_float2(a.x - t.x, a.y - t.y);
}

__global__ void hues(int n, const colour *__restrict__ x, colour *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    int r = x[i].r, g = x[i].g, b = x[i].b, most = max(r, max(g, b)), span = most - min(r, min(g, b)), hue = 0;
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

__global__ void blurred_rows(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread() + 4, i = blockIdx.y;
    if (j >= n - 4)
        return;
    float sum = 0;
    for (int k = -4; k <= 4; k++)
        sum += gauss[k + 4] * x[i * n + j + k];
    y[i * n + j] = sum;
}

__global__ void blurred_columns(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread() + 4, i = blockIdx.y * blockDim.y + threadIdx.y + 4;
    if (i >= n - 4 || j >= n - 4)
        return;
    float sum = 0;
    for (int k = -4; k <= 4; k++)
        sum += gauss[k + 4] * x[(i + k) * n + j];
    y[i * n + j] = sum;
}

/// A block of threads for a block of pixels.
__global__ void cosines_of_blocks(int n, const unsigned char *__restrict__ x, short *__restrict__ y)
{
    __shared__ float t[8][8], wave[8][8];
    int j = threadIdx.x, i = threadIdx.y, top = blockIdx.y * 8, left = blockIdx.x * 8;
    wave[i][j] = cosine[i][j];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += wave[i][k] * x[(top + k) * n + left + j];
    t[i][j] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < 8; k++)
        sum += t[i][k] * wave[j][k];
    // What is added keeps sums off the middle of two integers.
    y[(top + i) * n + left + j] = (short)rintf(sum / (1 + i + j) + 0.03f);
}

__global__ void graded(int n, const vec3 *__restrict__ table, const vec3 *__restrict__ x, vec3 *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    float r = x[i].x * (ENTRIES - 1), g = x[i].y * (ENTRIES - 1), b = x[i].z * (ENTRIES - 1);
    int p = r, q = g, s = b;
    const vec3 *at = table + (p * ENTRIES + q) * ENTRIES + s, *over = at + ENTRIES * ENTRIES;
    vec3 low = blend(blend(at[0], at[1], b - s), blend(at[ENTRIES], at[ENTRIES + 1], b - s), g - q);
    vec3 high = blend(blend(over[0], over[1], b - s), blend(over[ENTRIES], over[ENTRIES + 1], b - s), g - q);
    y[i] = blend(low, high, r - p);
}

__global__ void julia(int n, unsigned char *__restrict__ y)
{
    int j = thread(), i = blockIdx.y * blockDim.y + threadIdx.y;
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

/// A block has the scene in shared memory.
__global__ void spheres(int n, const sphere *__restrict__ scene, float *__restrict__ y)
{
    __shared__ sphere s[SPHERES];
    int lane = threadIdx.y * blockDim.x + threadIdx.x;
    if (lane < SPHERES)
        s[lane] = scene[lane];
    __syncthreads();
    int j = thread(), i = blockIdx.y * blockDim.y + threadIdx.y;
    float u = (float)j / n - 0.5f, v = (float)i / n - 0.5f, by = rsqrtf(u * u + v * v + 1), best = 1e30f, shade = 0.1f;
    vec3 ray = {u * by, v * by, by};
    int hit = -1;
    for (int k = 0; k < SPHERES; k++) {
        float far = distance(ray, s[k]);
        if (far > 0 && far < best) {
            best = far;
            hit = k;
        }
    }
    if (hit >= 0) {
        vec3 normal = {ray.x * best - s[hit].x, ray.y * best - s[hit].y, ray.z * best - s[hit].z};
        shade += fmaxf(0, -dot(normal, ray) / s[hit].radius);
    }
    y[i * n + j] = shade;
}

__global__ void digests(int n, const unsigned *__restrict__ message, unsigned *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    unsigned w[16], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
#pragma unroll
    for (int t = 0; t < 16; t++)
        w[t] = message[t * n + i];
#pragma unroll
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

/// A block has the table in shared memory.
__global__ void remainders_of(int n, const unsigned *__restrict__ remainders, const unsigned char *__restrict__ x,
                              unsigned *__restrict__ y)
{
    __shared__ unsigned table[256];
    table[threadIdx.x] = remainders[threadIdx.x];
    __syncthreads();
    int i = thread();
    if (i >= n)
        return;
    unsigned value = ~0u;
    for (int k = 0; k < OF_RECORD; k++)
        value = value >> 8 ^ table[(value ^ x[i * OF_RECORD + k]) & 255];
    y[i] = ~value;
}

__global__ void letters_of(int n, const unsigned char *__restrict__ x, char4 *__restrict__ y)
{
    __shared__ char table[64];
    if (threadIdx.x < 64)
        table[threadIdx.x] = alphabet[threadIdx.x];
    __syncthreads();
    int i = thread();
    if (i >= n)
        return;
    unsigned bits = x[3 * i] << 16 | x[3 * i + 1] << 8 | x[3 * i + 2];
    y[i] = make_char4(table[bits >> 18], table[bits >> 12 & 63], table[bits >> 6 & 63], table[bits & 63]);
}

__global__ void digits(int tiles, const int *__restrict__ x, int *__restrict__ y)
{
    __shared__ int count[16];
    int tile = blockIdx.x;
    if (threadIdx.x < 16)
        count[threadIdx.x] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < OF_TILE; k += blockDim.x)
        atomicAdd(&count[x[tile * OF_TILE + k] >> 8 & 15], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        y[threadIdx.x * tiles + tile] = count[threadIdx.x];
}

__global__ void edits(int n, const unsigned char *__restrict__ p, const unsigned char *__restrict__ q, int *__restrict__ y)
{
    int m = thread();
    if (m >= n)
        return;
    int row[LETTERS + 1];
    for (int j = 0; j <= LETTERS; j++)
        row[j] = j;
    for (int i = 0; i < LETTERS; i++) {
        int letter = p[m * LETTERS + i] & 3, above = row[0];
        row[0] = i + 1;
        for (int j = 0; j < LETTERS; j++) {
            int best = above + (letter != (q[m * LETTERS + j] & 3));
            above = row[j + 1];
            row[j + 1] = min(best, min(above, row[j]) + 1);
        }
    }
    y[m] = row[LETTERS];
}

__global__ void frontier(int n, const int *__restrict__ start, const int *__restrict__ to, const int *__restrict__ level,
                         int *__restrict__ next)
{
    int i = thread();
    if (i >= n || (level[i] & 7) != 3)
        return;
    for (int k = start[i]; k < start[i + 1]; k++) {
        int j = to[k] % NODES;
        if ((level[j] & 7) > 3)
            next[j] = 1;
    }
}

__global__ void powers(int n, const unsigned *__restrict__ x, unsigned *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
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

__global__ void mean_prices(int n, const unsigned *__restrict__ seed, float *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
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

__global__ void strided(int n, const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y)
{
    int j = threadIdx.x, i = blockIdx.x * blockDim.y + threadIdx.y, k = blockIdx.y, m = blockIdx.z;
    if (j >= n / 2)
        return;
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

/// A block has a query and its scores in shared memory; a half of it adds up the values of half of the keys.
__global__ void attention(const float *__restrict__ q, const float *__restrict__ k, const float *__restrict__ v, float *__restrict__ y)
{
    __shared__ float query[DEPTH], score[KEYS], parts[2][DEPTH];
    int i = blockIdx.x;
    if (threadIdx.x < DEPTH)
        query[threadIdx.x] = q[i * DEPTH + threadIdx.x];
    __syncthreads();
    float most = -INFINITY, sum = 0;
    for (int j = threadIdx.x; j < KEYS; j += blockDim.x) {
        const float4 *row = (const float4 *)(k + j * DEPTH);
        float product = 0;
        for (int d = 0; d < DEPTH / 4; d++) {
            float4 key = row[d];
            product += query[4 * d] * key.x + query[4 * d + 1] * key.y + query[4 * d + 2] * key.z + query[4 * d + 3] * key.w;
        }
        score[j] = product * 0.125f;
        most = fmaxf(most, score[j]);
    }
    most = most_of_block(most);
    for (int j = threadIdx.x; j < KEYS; j += blockDim.x) {
        score[j] = expf(score[j] - most);
        sum += score[j];
    }
    sum = sum_of_block(sum);
    int d = threadIdx.x % DEPTH, half = threadIdx.x / DEPTH;
    float mean = 0;
    for (int j = half * (KEYS / 2); j < (half + 1) * (KEYS / 2); j++)
        mean += score[j] * v[j * DEPTH + d];
    parts[half][d] = mean;
    __syncthreads();
    if (half == 0)
        y[i * DEPTH + d] = (parts[0][d] + parts[1][d]) / sum;
}

__global__ void bags(const int *__restrict__ of, const float *__restrict__ table, float *__restrict__ y)
{
    int i = blockIdx.x * blockDim.y + threadIdx.y, d = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < OF_BAG; k++)
        sum += table[(of[i * OF_BAG + k] % ROWS_OF_TABLE) * DEPTH + d];
    y[i * DEPTH + d] = sum / OF_BAG;
}

__global__ void entropy(int classes, const int *__restrict__ label, const float *__restrict__ x, float *__restrict__ y)
{
    int i = blockIdx.x;
    const float *row = x + i * classes;
    float most = -INFINITY, sum = 0;
    for (int j = threadIdx.x; j < classes; j += blockDim.x)
        most = fmaxf(most, row[j]);
    most = most_of_block(most);
    for (int j = threadIdx.x; j < classes; j += blockDim.x)
        sum += expf(row[j] - most);
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        y[i] = logf(sum) + most - row[label[i] % classes];
}

__global__ void peaks(int length, const float *__restrict__ x, int *__restrict__ y)
{
    __shared__ int first;
    int i = blockIdx.x;
    float most = 0;
    for (int j = threadIdx.x; j < length; j += blockDim.x)
        most = fmaxf(most, x[i * length + j]);
    if (threadIdx.x == 0)
        first = length;
    most = most_of_block(most);
    for (int j = threadIdx.x; j < length; j += blockDim.x)
        if (x[i * length + j] == most)
            atomicMin(&first, j);
    __syncthreads();
    if (threadIdx.x == 0)
        y[i] = first;
}

/// A warp has a row.
__global__ void angles(int length, const double *__restrict__ x, const double *__restrict__ y, double *__restrict__ z)
{
    int i = thread() / WARP, lane = threadIdx.x % WARP;
    double product = 0, left = 0, right = 0;
    for (int j = lane; j < length; j += WARP) {
        double a = x[i * length + j], b = y[i * length + j];
        product += a * b;
        left += a * a;
        right += b * b;
    }
    product = sum_of_lanes(product, WARP);
    left = sum_of_lanes(left, WARP);
    right = sum_of_lanes(right, WARP);
    if (lane == 0)
        z[i] = acos(product / sqrt(left * right));
}

__global__ void adam(int n, const float *__restrict__ gradient, float *__restrict__ mean, float *__restrict__ square,
                     float *__restrict__ weight)
{
    int i = thread();
    if (i >= n)
        return;
    float w = weight[i], g = gradient[i] + 0.01f * w, m = 0.9f * mean[i] + 0.1f * g, s = 0.999f * square[i] + 0.001f * g * g;
    mean[i] = m;
    square[i] = s;
    weight[i] = w - 0.001f * (m / 0.1f) / (sqrtf(s / 0.001f) + 1e-3f);
}

/// A block has the taps and its samples in shared memory.
__global__ void filtered(const float *__restrict__ tap, const float *__restrict__ x, float *__restrict__ y)
{
    __shared__ float taps[TAPS], samples[THREADS + TAPS];
    int i = thread();
    samples[threadIdx.x] = x[i];
    if (threadIdx.x < TAPS) {
        taps[threadIdx.x] = tap[threadIdx.x];
        samples[THREADS + threadIdx.x] = x[i + THREADS];
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < TAPS; k++)
        sum += taps[k] * samples[threadIdx.x + k];
    y[i] = sum;
}

__global__ void sections(int channels, int moments, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread();
    if (j >= channels)
        return;
    float z[4][2] = {};
    for (int i = 0; i < moments; i++) {
        float value = x[i * channels + j];
#pragma unroll
        for (int s = 0; s < 4; s++) {
            float out = section[s].b0 * value + z[s][0];
            z[s][0] = section[s].b1 * value - section[s].a1 * out + z[s][1];
            z[s][1] = section[s].b2 * value - section[s].a2 * out;
            value = out;
        }
        y[i * channels + j] = value;
    }
}

int main()
{
    std::vector<float> numbers(N), others(N);
    std::vector<int> indices(N), starts(NODES + 1), one_less(PLANE), one_more(PLANE);
    std::vector<double> doubles(N / 2);
    std::vector<unsigned> of_bytes(256);
    std::vector<sphere> scene(SPHERES);
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        numbers[i] = (state >> 8) * 0x1p-24f;
        others[i] = 1.0f - numbers[i];
        indices[i] = state >> 4;
        doubles[i / 2] = numbers[i];
    }
    for (int i = 0; i < NODES; i++)
        starts[i + 1] = starts[i] + 8 + (indices[i] >> 4) % (MOST_PER_ROW - 7);
    for (int i = 0; i < PLANE; i++) {
        one_less[i] = i > 0 ? i - 1 : 0;
        one_more[i] = i < PLANE - 1 ? i + 1 : i;
    }
    for (int k = 0; k < SPHERES; k++)
        scene[k] = {4 * numbers[3 * k] - 2, 4 * numbers[3 * k + 1] - 2, 3 + 4 * numbers[3 * k + 2], 0.3f + 0.5f * others[k]};
    fill_remainders(of_bytes.data());
    float *a = copy(numbers), *b = copy(others), *work;
    int *at = copy(indices), *start = copy(starts), *before = copy(one_less), *after = copy(one_more);
    double *wide = copy(doubles);
    unsigned *remainders = copy(of_bytes);
    sphere *balls = copy(scene);
    check(cudaMalloc(&c, 4L * N));
    check(cudaMalloc(&work, 4L * PLANE * PLANE));
    double *out = (double *)c;
    int *ints = (int *)c;
    unsigned *naturals = (unsigned *)c;
    float4 *charges = (float4 *)a;
    unsigned char *bytes = (unsigned char *)at;
    const int T = THREADS;
    dim3 threads(32, 8), tiled(PLANE / 32, PLANE / 8), plane(PLANE / T, PLANE);
    measure<float>("hotspot", PLANE * PLANE, [=] { hotspot<<<tiled, threads>>>(PLANE, b, a, c); });
    measure<float>("speckle", PLANE * PLANE, [=] { speckle<<<plane, T>>>(PLANE, before, after, a, c); });
    measure<double>("diffusion", CUBE * CUBE * CUBE,
                    [=] { diffusion<<<dim3(1, CUBE - 2, CUBE - 2), CUBE>>>(CUBE, wide, wide + CUBE * CUBE * CUBE, out); });
    measure<float>("red_cube", COLOURED * COLOURED * COLOURED,
                   [=] { red_cube<<<dim3(1, COLOURED - 2, COLOURED - 2), COLOURED / 2>>>(COLOURED, a, c); });
    measure<float>("shallow", 3 * PLANE * PLANE, [=] { shallow<<<tiled, threads>>>(PLANE, (cell *)a, (cell *)c); });
    measure<double>("weno", PLANE * PLANE, [=] { weno<<<plane, T>>>(PLANE, wide, out); });
    measure<double>("riemann", 3 * STATES, [=] { riemann<<<STATES / T, T>>>(STATES, (gas *)wide, (flow *)c); });
    measure<double>("adiabats", STATES, [=] { adiabats<<<STATES / T, T>>>(STATES, wide, out); });
    measure<double>("mixture", SPECIES * MIXTURES,
                    [=] { mixture<<<MIXTURES / T, T>>>(MIXTURES, wide, wide + SPECIES * MIXTURES, out); });
    measure<float>("edge_sums", NODES, [=] { edge_sums<<<EDGES / T, T>>>(EDGES, (edge *)at, a, c); });
    measure<float>("deposit", GRID * GRID, [=] { deposit<<<CHARGES / T, T>>>(CHARGES, charges, c); });
    measure<float>("push", 4 * CHARGES,
                   [=] { push<<<CHARGES / T, T>>>(CHARGES, b, b + GRID * GRID, b + 2 * GRID * GRID, charges, (float4 *)c); });
    measure<unsigned>("sort_into_cells", CELLS,
                      [=] { sort_into_cells<<<2 * CHARGES / T, T>>>(2 * CHARGES, (vec3 *)a, naturals, (int *)work); });
    measure<double>("gravity", 3 * BODIES, [=] { gravity<<<BODIES / 128, 128>>>(BODIES, (body *)wide, (force *)c); });
    measure<double>("hexahedra", 3 * CORNERS,
                    [=] { hexahedra<<<HEXAHEDRA / 128, 128>>>(HEXAHEDRA, at, wide + 3 * CORNERS, wide, out); });
    measure<double>("ranks", NODES, [=] { ranks<<<NODES / 16, T>>>(NODES, start, at, wide, out); });
    measure<double>("diagonals", BANDED, [=] { diagonals<<<BANDED / T, T>>>(BANDED, wide, wide + DIAGONALS * BANDED, out); });
    measure<float>("inverses", 16 * INVERSES, [=] { inverses<<<INVERSES / 128, 128>>>(INVERSES, (float4 *)a, (float4 *)c); });
    measure<double>("solves", 5 * SOLVES, [=] { solves<<<SOLVES / 128, 128>>>(SOLVES, wide, wide + 25 * SOLVES, out); });
    measure<double>("by_its_transpose", ORDER * ORDER,
                    [=] { by_its_transpose<<<dim3(ORDER / 16, ORDER / 16), dim3(16, 16)>>>(ORDER, SHARED, wide, out); });
    measure<float>("contraction", EXTENT * EXTENT * EXTENT * EXTENT,
                   [=] { contraction<<<dim3(EXTENT / 4, EXTENT, EXTENT), dim3(EXTENT, 4)>>>(EXTENT, a, b, c); });
    measure<float>("butterflies", N, [=] { butterflies<<<N / 4 / T, T>>>(N / 2, HALF, (float2 *)a, (float2 *)c); });
    measure<unsigned char>("hues", 3 * PIXELS, [=] { hues<<<PIXELS / T, T>>>(PIXELS, (colour *)at, (colour *)c); });
    measure<float>("blurred", PLANE * PLANE, [=] {
        blurred_rows<<<plane, T>>>(PLANE, a, work);
        blurred_columns<<<tiled, threads>>>(PLANE, work, c);
    });
    measure<short>("cosines_of_blocks", PLANE * PLANE,
                   [=] { cosines_of_blocks<<<dim3(PLANE / 8, PLANE / 8), dim3(8, 8)>>>(PLANE, bytes, (short *)c); });
    measure<float>("graded", 3 * PIXELS, [=] { graded<<<PIXELS / T, T>>>(PIXELS, (vec3 *)b, (vec3 *)a, (vec3 *)c); });
    measure<unsigned char>("julia", PLANE * PLANE, [=] { julia<<<tiled, threads>>>(PLANE, (unsigned char *)c); });
    measure<float>("spheres", PLANE * PLANE, [=] { spheres<<<tiled, threads>>>(PLANE, balls, c); });
    measure<unsigned>("digests", 8 * MESSAGES, [=] { digests<<<MESSAGES / T, T>>>(MESSAGES, (unsigned *)at, naturals); });
    measure<unsigned>("remainders_of", RECORDS, [=] { remainders_of<<<RECORDS / T, T>>>(RECORDS, remainders, bytes, naturals); });
    measure<char>("letters_of", 4 * PIXELS, [=] { letters_of<<<PIXELS / T, T>>>(PIXELS, bytes, (char4 *)c); });
    measure<int>("digits", N / OF_TILE * 16, [=] { digits<<<N / OF_TILE, T>>>(N / OF_TILE, at, ints); });
    measure<int>("edits", PAIRS, [=] { edits<<<PAIRS / 128, 128>>>(PAIRS, bytes, bytes + PAIRS * LETTERS, ints); });
    measure<int>("frontier", NODES, [=] { frontier<<<NODES / T, T>>>(NODES, start, at, at + N / 2, ints); });
    measure<unsigned>("powers", POWERS, [=] { powers<<<POWERS / T, T>>>(POWERS, (unsigned *)at, naturals); });
    measure<float>("mean_prices", WALKS, [=] { mean_prices<<<WALKS / 128, 128>>>(WALKS, (unsigned *)at, c); });
    measure<float>("strided", IMAGES * TO * PICTURE * PICTURE / 4,
                   [=] { strided<<<dim3(PICTURE / 2 / 4, TO, IMAGES), dim3(64, 4)>>>(PICTURE, a, b, c); });
    measure<float>("attention", QUERIES * DEPTH, [=] { attention<<<QUERIES, 128>>>(a, b, b + KEYS * DEPTH, c); });
    measure<float>("bags", BAGS * DEPTH, [=] { bags<<<BAGS / 4, dim3(DEPTH, 4)>>>(at, a, c); });
    measure<float>("entropy", EXAMPLES, [=] { entropy<<<EXAMPLES, T>>>(CLASSES, at, a, c); });
    measure<int>("peaks", LONG_ROWS, [=] { peaks<<<LONG_ROWS, T>>>(LONG, a, ints); });
    measure<double>("angles", VECTORS, [=] { angles<<<VECTORS / 8, T>>>(OF_VECTOR, wide, wide + VECTORS * OF_VECTOR, out); });
    measure<float>("adam", 3 * WEIGHTS, [=] { adam<<<WEIGHTS / T, T>>>(WEIGHTS, a, c, c + WEIGHTS, c + 2 * WEIGHTS); });
    measure<float>("filtered", SAMPLES, [=] { filtered<<<SAMPLES / T, T>>>(b, a, c); });
    measure<float>("sections", CHANNELS * MOMENTS, [=] { sections<<<CHANNELS / 128, 128>>>(CHANNELS, MOMENTS, a, c); });
    return 0;
}
