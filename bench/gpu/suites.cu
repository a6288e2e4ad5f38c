// The loops of suites.c in CUDA, as a programmer who knows it writes them first: a thread for each element, a
// block or a warp for a row, shared memory where a block has something in common.
//
//     name median-microseconds checksum
#include "suites.h"
#include "measured.cuh"

__global__ void chip(int layers, int n, const float *__restrict__ power, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread(), i = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z, at = (k * n + i) * n + j, layer = n * n;
    int west = j == 0 ? at : at - 1, east = j == n - 1 ? at : at + 1;
    int north = i == 0 ? at : at - n, south = i == n - 1 ? at : at + n;
    int below = k == 0 ? at : at - layer, above = k == layers - 1 ? at : at + layer;
    y[at] = 0.4f * x[at] + 0.12f * (x[west] + x[east]) + 0.1f * (x[north] + x[south]) + 0.07f * (x[below] + x[above]) +
            0.03f * power[at] + 0.001f * 80;
}

/// A block has a tile of the columns and of the rows in shared memory.
__global__ void trailing(int n, const float *__restrict__ a, float *__restrict__ c)
{
    __shared__ float left[PANEL][PANEL], top[PANEL][PANEL];
    int j = (blockIdx.x + 1) * PANEL + threadIdx.x, i = (blockIdx.y + 1) * PANEL + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = a[i * n + threadIdx.x];
    top[threadIdx.y][threadIdx.x] = a[threadIdx.y * n + j];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < PANEL; k++)
        sum += left[threadIdx.y][k] * top[k][threadIdx.x];
    c[i * n + j] = a[i * n + j] - sum;
}

__global__ void eliminated(int n, int k, const float *__restrict__ a, float *__restrict__ c)
{
    int j = k + thread(), i = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    float factor = a[i * n + k] / (a[k * n + k] + 2);
    c[i * n + j] = a[i * n + j] - factor * a[k * n + j];
}

/// A block has a pair of sequences, a thread a row; three diagonals are in shared memory.
__global__ void alignments(const unsigned char *__restrict__ p, const unsigned char *__restrict__ q, int *__restrict__ y)
{
    __shared__ int score[3][LETTERS + 1];
    __shared__ unsigned char letters[LETTERS];
    int m = blockIdx.x, i = threadIdx.x + 1, own = p[m * LETTERS + i - 1] & 3;
    letters[i - 1] = q[m * LETTERS + i - 1] & 3;
    if (i == 1)
        score[0][0] = 0;
    __syncthreads();
    int now = 1, last = 0, before = 2;
    for (int d = 1; d <= 2 * LETTERS; d++) {
        int j = d - i;
        if (j == 0)
            score[now][i] = -2 * d;
        else if (j > 0 && j <= LETTERS) {
            int best = score[before][i - 1] + (own == letters[j - 1] ? 5 : -3);
            score[now][i] = max(best, max(score[last][i], score[last][i - 1]) - 2);
        }
        if (i == 1)
            score[now][0] = -2 * d;
        __syncthreads();
        int free = before;
        before = last;
        last = now;
        now = free;
    }
    if (i == LETTERS)
        y[m] = score[last][LETTERS];
}

/// A block has the centres in shared memory; a point is loaded as pairs of features.
__global__ void memberships(int n, const float2 *__restrict__ x, const float *__restrict__ centres, int *__restrict__ y)
{
    __shared__ float all[CLUSTERS * FEATURES];
    for (int k = threadIdx.x; k < CLUSTERS * FEATURES; k += blockDim.x)
        all[k] = centres[k];
    __syncthreads();
    int i = thread();
    if (i >= n)
        return;
    float sum[CLUSTERS] = {};
    for (int f = 0; f < FEATURES / 2; f++) {
        float2 pair = x[i * (FEATURES / 2) + f];
#pragma unroll
        for (int k = 0; k < CLUSTERS; k++) {
            float by = pair.x - all[k * FEATURES + 2 * f];
            sum[k] += by * by;
            by = pair.y - all[k * FEATURES + 2 * f + 1];
            sum[k] += by * by;
        }
    }
    int best = 0;
    float least = sum[0];
#pragma unroll
    for (int k = 1; k < CLUSTERS; k++)
        if (sum[k] < least) {
            least = sum[k];
            best = k;
        }
    y[i] = best;
}

__global__ void adjusted(int hidden, const float *__restrict__ delta, const float *__restrict__ input, float *__restrict__ weight,
                         float *__restrict__ before)
{
    int j = thread(), k = blockIdx.y, at = k * hidden + j;
    float change = 0.3f * delta[j] * input[k] + 0.3f * before[at];
    weight[at] += change;
    before[at] = change;
}

/// A block has a box, and one neighbour after the other in shared memory.
__global__ void boxes(int n, const particle *__restrict__ p, const double *__restrict__ charge, particle *__restrict__ force)
{
    __shared__ particle others[IN_BOX];
    __shared__ double charges[IN_BOX];
    int home = blockIdx.x, z = home / (n * n), y = home / n % n, x = home % n, lane = threadIdx.x;
    particle here = {}, sum = {};
    if (lane < IN_BOX)
        here = p[home * IN_BOX + lane];
    for (int k = 0; k < 27; k++) {
        int oz = z + k / 9 - 1, oy = y + k / 3 % 3 - 1, ox = x + k % 3 - 1;
        if (oz < 0 || oz >= n || oy < 0 || oy >= n || ox < 0 || ox >= n)
            continue;
        int first = ((oz * n + oy) * n + ox) * IN_BOX;
        if (lane < IN_BOX) {
            others[lane] = p[first + lane];
            charges[lane] = charge[first + lane];
        }
        __syncthreads();
        if (lane < IN_BOX)
            for (int j = 0; j < IN_BOX; j++) {
                double square = here.v + others[j].v - (here.x * others[j].x + here.y * others[j].y + here.z * others[j].z);
                double v = exp(-0.5 * square), by = 2 * v * charges[j];
                sum.v += charges[j] * v;
                sum.x += by * (here.x - others[j].x);
                sum.y += by * (here.y - others[j].y);
                sum.z += by * (here.z - others[j].z);
            }
        __syncthreads();
    }
    if (lane < IN_BOX)
        force[home * IN_BOX + lane] = sum;
}

__global__ void fluxes(int n, const int *__restrict__ neighbours, const float *__restrict__ normals, const float *__restrict__ values,
                       float *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    float own[5], flux[5] = {}, far[5] = {1, 0.5f, 0.1f, 0.2f, 2.5f};
    load_state(values, i, own);
    float speed = speed_of(own), pressure = 0.4f * (own[4] - 0.5f * (own[1] * own[1] + own[2] * own[2] + own[3] * own[3]) / own[0]);
#pragma unroll
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

/// A block has the disc in shared memory.
__global__ void likelihoods(int n, int pixels, const int2 *__restrict__ disc, const unsigned char *__restrict__ picture,
                            const double *__restrict__ x, const double *__restrict__ y, double *__restrict__ weight)
{
    __shared__ int offset[MOST_OF_DISC];
    if (threadIdx.x < pixels)
        offset[threadIdx.x] = disc[threadIdx.x].x * VIDEO + disc[threadIdx.x].y;
    __syncthreads();
    int i = thread();
    if (i >= n)
        return;
    int middle = (int)(y[i] * (VIDEO - 1)) * VIDEO + (int)(x[i] * (VIDEO - 1));
    double sum = 0;
    for (int k = 0; k < pixels; k++) {
        int at = middle + offset[k];
        if (at < 0 || at >= VIDEO * VIDEO)
            at = 0;
        double dark = picture[at] - 100.0, light = picture[at] - 228.0;
        sum += (dark * dark - light * light) / 50;
    }
    weight[i] = exp(sum / pixels / 200);
}

__global__ void neurons(int n, const float *__restrict__ x, float *__restrict__ voltage, float *__restrict__ gates)
{
    int i = thread();
    if (i >= n)
        return;
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

__global__ void right_sides(int n, const double (*__restrict__ u)[5], const double (*__restrict__ forcing)[5],
                            double (*__restrict__ rhs)[5])
{
    int i = threadIdx.x + 2, j = blockIdx.x * blockDim.y + threadIdx.y + 1, k = blockIdx.y + 1, at = (k * n + j) * n + i;
    if (i >= n - 2 || j >= n - 1)
        return;
    double p[5], l[5], h[5], s[5], t[5];
#pragma unroll
    for (int m = 0; m < 5; m++) {
        p[m] = u[at - 2][m];
        l[m] = u[at - 1][m];
        h[m] = u[at][m];
        s[m] = u[at + 1][m];
        t[m] = u[at + 2][m];
    }
    double left = 1 / (l[0] + 0.5), here = 1 / (h[0] + 0.5), right = 1 / (s[0] + 0.5);
    double ul = l[1] * left, uh = h[1] * here, ur = s[1] * right, vl = l[2] * left, vh = h[2] * here, vr = s[2] * right;
    double wl = l[3] * left, wh = h[3] * here, wr = s[3] * right;
    double pl = 0.4 * (l[4] + 2 - 0.5 * (ul * l[1] + vl * l[2] + wl * l[3]));
    double pr = 0.4 * (s[4] + 2 - 0.5 * (ur * s[1] + vr * s[2] + wr * s[3]));
    double r[5];
#pragma unroll
    for (int m = 0; m < 5; m++)
        r[m] = forcing[at][m] + 0.75 * (s[m] - 2 * h[m] + l[m]);
    r[0] -= 0.2 * (s[1] - l[1]);
    r[1] += 0.1 * (ur - 2 * uh + ul) - 0.2 * (s[1] * ur - l[1] * ul + pr - pl);
    r[2] += 0.1 * (vr - 2 * vh + vl) - 0.2 * (s[2] * ur - l[2] * ul);
    r[3] += 0.1 * (wr - 2 * wh + wl) - 0.2 * (s[3] * ur - l[3] * ul);
    r[4] += 0.1 * (ur * ur - 2 * uh * uh + ul * ul) - 0.2 * ((s[4] + pr) * ur - (l[4] + pl) * ul);
#pragma unroll
    for (int m = 0; m < 5; m++)
        rhs[at][m] = r[m] - 0.05 * (p[m] - 4 * l[m] + 6 * h[m] - 4 * s[m] + t[m]);
}

__global__ void eliminated_blocks(int n, const double (*__restrict__ lhs)[5][5], const double (*__restrict__ next)[5][5],
                                  const double (*__restrict__ rhs)[5], double (*__restrict__ c)[5][5], double (*__restrict__ r)[5])
{
    int b = thread();
    if (b >= n)
        return;
    double t[5][5], s[5][5], z[5];
#pragma unroll
    for (int i = 0; i < 5; i++) {
#pragma unroll
        for (int j = 0; j < 5; j++) {
            t[i][j] = lhs[b][i][j] + (i == j) * 4;
            s[i][j] = next[b][i][j];
        }
        z[i] = rhs[b][i];
    }
#pragma unroll
    for (int p = 0; p < 5; p++) {
        double by = 1 / t[p][p];
#pragma unroll
        for (int j = p + 1; j < 5; j++)
            t[p][j] *= by;
#pragma unroll
        for (int j = 0; j < 5; j++)
            s[p][j] *= by;
        z[p] *= by;
#pragma unroll
        for (int i = 0; i < 5; i++)
            if (i != p) {
                double factor = t[i][p];
#pragma unroll
                for (int j = p + 1; j < 5; j++)
                    t[i][j] -= factor * t[p][j];
#pragma unroll
                for (int j = 0; j < 5; j++)
                    s[i][j] -= factor * s[p][j];
                z[i] -= factor * z[p];
            }
    }
#pragma unroll
    for (int i = 0; i < 5; i++) {
#pragma unroll
        for (int j = 0; j < 5; j++)
            c[b][i][j] = s[i][j];
        r[b][i] = z[i];
    }
}

__global__ void pentadiagonal(int n, const double *__restrict__ rho, const double *__restrict__ rhs, double *__restrict__ d,
                              double *__restrict__ e, double *__restrict__ x)
{
    int line = thread(), at = line / n * n * n + line % n;
    double d1 = 0, e1 = 0, x1 = 0, d2 = 0, e2 = 0, x2 = 0;
    for (int j = 0; j < n; j++, at += n) {
        double density = rho[at], first = 0.05, below = -0.2 * density - first * d2, middle = 1 + 0.5 * density - first * e2 - below * d1;
        double above = j < n - 1 ? -0.2 * density : 0, last = j < n - 2 ? 0.05 : 0, by = 1 / middle;
        double dj = (above - below * e1) * by, ej = last * by, xj = (rhs[at] - first * x2 - below * x1) * by;
        d2 = d1;
        e2 = e1;
        x2 = x1;
        d[at] = d1 = dj;
        e[at] = e1 = ej;
        x[at] = x1 = xj;
    }
    at -= 2 * n;
    for (int j = n - 2; j >= 0; j--, at -= n) {
        double xj = x[at] - d[at] * x1;
        if (j < n - 2)
            xj -= e[at] * x2;
        x2 = x1;
        x[at] = x1 = xj;
    }
}

__global__ void conjugate(int n, double alpha, const double *__restrict__ p, const double *__restrict__ q, double *__restrict__ x,
                          double *__restrict__ r, double *__restrict__ square)
{
    double rho = 0;
    for (int i = thread(); i < n; i += gridDim.x * blockDim.x) {
        x[i] += alpha * p[i];
        double residual = r[i] - alpha * q[i];
        r[i] = residual;
        rho += residual * residual;
    }
    rho = sum_of_block(rho);
    if (threadIdx.x == 0)
        atomicAdd(square, rho);
}

__global__ void restricted(int n, const double *__restrict__ fine, double *__restrict__ coarse)
{
    int k = threadIdx.x + 1, j = blockIdx.x * blockDim.y + threadIdx.y + 1, i = blockIdx.y + 1;
    if (k >= n || j >= n)
        return;
    const int row = FINE, plane = FINE * FINE;
    const double *f = fine + (2 * i * FINE + 2 * j) * FINE + 2 * k;
    double faces = f[-plane] + f[plane] + f[-row] + f[row] + f[-1] + f[1], edges = 0, corners = 0;
#pragma unroll
    for (int d = -1; d <= 1; d += 2) {
        const double *g = f + d * plane;
        edges += g[-row] + g[row] + g[-1] + g[1] + f[d * row - 1] + f[d * row + 1];
        corners += g[-row - 1] + g[-row + 1] + g[row - 1] + g[row + 1];
    }
    coarse[(i * (FINE / 2) + j) * (FINE / 2) + k] = 0.5 * f[0] + 0.25 * faces + 0.125 * edges + 0.0625 * corners;
}

/// Two neighbours of the fine grid are one access.
__global__ void prolonged(int n, const double *__restrict__ coarse, double *__restrict__ fine)
{
    int k = threadIdx.x, j = blockIdx.x * blockDim.y + threadIdx.y, i = blockIdx.y;
    if (k >= n - 1 || j >= n - 1)
        return;
    const double *at = coarse + (i * n + j) * n + k, *over = at + n * n;
    double a = at[0], b = at[1], c = at[n], d = at[n + 1], e = over[0], f = over[1], g = over[n], h = over[n + 1];
    double2 *to = (double2 *)(fine + (2 * i * FINE + 2 * j) * FINE + 2 * k), *next = to + FINE / 2;
    double2 *above = to + FINE * FINE / 2, *last = above + FINE / 2, value;
    value = *to;
    *to = make_double2(value.x + a, value.y + 0.5 * (a + b));
    value = *next;
    *next = make_double2(value.x + 0.5 * (a + c), value.y + 0.25 * (a + b + c + d));
    value = *above;
    *above = make_double2(value.x + 0.5 * (a + e), value.y + 0.25 * (a + b + e + f));
    value = *last;
    *last = make_double2(value.x + 0.25 * (a + c + e + g), value.y + 0.125 * (a + b + c + d + e + f + g + h));
}

__global__ void evolved(int n, double t, const double2 *__restrict__ u, double2 *__restrict__ y)
{
    int i = threadIdx.x, j = blockIdx.x, k = blockIdx.y, at = (k * n + j) * n + i;
    int kk = (k + n / 4) % (n / 2) - n / 4, jj = (j + n / 2) % n - n / 2, ii = (i + n / 2) % n - n / 2;
    double factor = exp(-t * (kk * kk + jj * jj + ii * ii));
    double2 value = u[at];
    y[at] = make_double2(value.x * factor, value.y * factor);
}

/// A block counts in shared memory.
__global__ void deviates(int n, double ahead, double *__restrict__ y)
{
    __shared__ int count[10];
    if (threadIdx.x < 10)
        count[threadIdx.x] = 0;
    __syncthreads();
    int i = thread();
    double state = 271828183, factor = ahead, sx = 0, sy = 0;
    for (int k = i; k > 0; k /= 2) {
        if (k % 2 == 1)
            draw(&state, factor);
        draw(&factor, factor);
    }
    for (int k = 0; k < DEVIATES; k++) {
        double u = 2 * draw(&state, 1220703125) - 1, v = 2 * draw(&state, 1220703125) - 1, square = u * u + v * v;
        if (square <= 1) {
            double by = sqrt(-2 * log(square) / square);
            atomicAdd(&count[(int)fmax(fabs(u * by), fabs(v * by))], 1);
            sx += u * by;
            sy += v * by;
        }
    }
    sx = sum_of_block(sx);
    sy = sum_of_block(sy);
    if (threadIdx.x == 0) {
        atomicAdd(&y[970], sx);
        atomicAdd(&y[1067], sy);
    }
    if (threadIdx.x < 10)
        atomicAdd(&y[97 * threadIdx.x], (double)count[threadIdx.x]);
}

/// A block has a tile of the samples in shared memory.
__global__ void image_of_samples(const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ z,
                                 const float4 *__restrict__ k, float *__restrict__ re, float *__restrict__ im)
{
    __shared__ float4 tile[THREADS];
    int i = thread();
    float r = 0, s = 0, xi = x[i], yi = y[i], zi = z[i];
    for (int from = 0; from < SAMPLES; from += THREADS) {
        tile[threadIdx.x] = k[from + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < THREADS; j++) {
            float4 sample = tile[j];
            float sine, cosine;
            sincosf(1.5f * (sample.x * xi + sample.y * yi + sample.z * zi), &sine, &cosine);
            r += sample.w * cosine;
            s += sample.w * sine;
        }
        __syncthreads();
    }
    re[i] = r;
    im[i] = s;
}

__global__ void pulled(int n, const int *__restrict__ kind, const float *__restrict__ f, float *__restrict__ y)
{
    int i = threadIdx.x, j = blockIdx.x, k = blockIdx.y, at = (k * n + j) * n + i, cells = n * n * (n / 2);
    float here[DIRECTIONS];
#pragma unroll
    for (int q = 0; q < DIRECTIONS; q++) {
        int from = ((k - ez[q] + n / 2) % (n / 2) * n + (j - ey[q] + n) % n) * n + (i - ex[q] + n) % n;
        here[q] = f[q * cells + from];
    }
    if ((kind[at] >> 10 & 31) == 0) {
#pragma unroll
        for (int q = 0; q < DIRECTIONS; q++)
            y[opposite[q] * cells + at] = here[q];
    } else {
        collide(here);
#pragma unroll
        for (int q = 0; q < DIRECTIONS; q++)
            y[q * cells + at] = here[q];
    }
}

__global__ void pushed(int n, const float4 *__restrict__ f, float *__restrict__ y)
{
    int i = threadIdx.x + 1, j = blockIdx.x + 1, k = blockIdx.y + 1, at = (k * n + j) * n + i;
    if (i >= n - 1)
        return;
    float here[OF_CELL];
#pragma unroll
    for (int q = 0; q < OF_CELL; q += 4) {
        float4 four = f[(at * OF_CELL + q) / 4];
        here[q] = four.x;
        here[q + 1] = four.y;
        here[q + 2] = four.z;
        here[q + 3] = four.w;
    }
    if (here[DIRECTIONS] > 0.05f)
        collide(here);
#pragma unroll
    for (int q = 0; q < DIRECTIONS; q++)
        y[(at + (ez[q] * n + ey[q]) * n + ex[q]) * OF_CELL + q] = here[q];
}

__global__ void tendencies(int n, const int *__restrict__ flag, const double *__restrict__ s, const double *__restrict__ u,
                           const double *__restrict__ v, double *__restrict__ y)
{
    int k = threadIdx.x, j = blockIdx.x * blockDim.y + threadIdx.y + 3, i = blockIdx.y + 3, at = (i * n + j) * LEVELS + k;
    if (j >= n - 3)
        return;
    double right = carried(s, u, flag, at, n * LEVELS), left = carried(s, u, flag, at - n * LEVELS, n * LEVELS);
    double north = carried(s, v, flag, at, LEVELS), south = carried(s, v, flag, at - LEVELS, LEVELS);
    y[at] = s[at] - 0.1 * (right - left) - 0.2 * (north - south);
}

__global__ void hourglass(int n, const int *__restrict__ nodes, const double *__restrict__ x, const double *__restrict__ v,
                          const double (*__restrict__ derivative)[3][8], const double *__restrict__ volume,
                          double (*__restrict__ force)[3][8])
{
    int e = thread();
    if (e >= n)
        return;
    double gamma[8][4], at[3][8], moves[3][8], own = volume[e], by = 1 / (own + 0.5), coefficient = -0.03 * own / cbrt(own + 0.5);
#pragma unroll
    for (int c = 0; c < 8; c++) {
        int node = nodes[8 * e + c];
#pragma unroll
        for (int d = 0; d < 3; d++) {
            at[d][c] = x[node * 3 + d];
            moves[d][c] = v[node * 3 + d];
        }
    }
#pragma unroll
    for (int m = 0; m < 4; m++) {
        double mode[3] = {};
#pragma unroll
        for (int c = 0; c < 8; c++)
            for (int d = 0; d < 3; d++)
                mode[d] += at[d][c] * hourglass_mode[m][c];
#pragma unroll
        for (int c = 0; c < 8; c++)
            gamma[c][m] = hourglass_mode[m][c] - by * (derivative[e][0][c] * mode[0] + derivative[e][1][c] * mode[1] +
                                                       derivative[e][2][c] * mode[2]);
    }
#pragma unroll
    for (int d = 0; d < 3; d++) {
        double h[4] = {};
#pragma unroll
        for (int m = 0; m < 4; m++)
            for (int c = 0; c < 8; c++)
                h[m] += gamma[c][m] * moves[d][c];
#pragma unroll
        for (int c = 0; c < 8; c++)
            force[e][d][c] = coefficient * (gamma[c][0] * h[0] + gamma[c][1] * h[1] + gamma[c][2] * h[2] + gamma[c][3] * h[3]);
    }
}

__global__ void of_corners(int n, const int *__restrict__ start, const int *__restrict__ corners, const double *__restrict__ fx,
                           const double *__restrict__ fy, const double *__restrict__ fz, double *__restrict__ y)
{
    int p = thread();
    if (p >= n)
        return;
    double x = 0, v = 0, z = 0;
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

__global__ void energies(int n, const double *__restrict__ x, double *__restrict__ energy, double *__restrict__ pressure,
                         double *__restrict__ viscosity)
{
    int i = thread();
    if (i >= n)
        return;
    double old_e = x[i] - 0.2, change = 0.8 * x[n + i] - 0.4, old_p = 0.5 * x[2 * n + i], old_q = 0.1 * x[3 * n + i];
    double volume = x[4 * n + i] + 0.5, ql = 0.2 * x[5 * n + i], qq = 0.3 * x[6 * n + i], q = 0;
    double compression = 1 / volume - 1, half = volume - 0.5 * change, at_half = 1 / half - 1;
    double e = fmax(old_e - 0.5 * change * (old_p + old_q), -1e3), p_half = pressure_of(e, at_half, volume);
    if (change <= 0)
        q = sound_of(e, p_half, at_half, 1 / (1 + at_half)) * ql + qq;
    e += 0.5 * change * (3 * (old_p + old_q) - 4 * (p_half + q));
    if (fabs(e) < 1e-7)
        e = 0;
    e = fmax(e, -1e3);
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

__global__ void work_done(int n, double dt, const double *__restrict__ x_area, const double *__restrict__ y_area,
                          const double *__restrict__ volume, const double *__restrict__ density, const double *__restrict__ energy,
                          const double *__restrict__ pressure, const double *__restrict__ viscosity,
                          const double *__restrict__ x_speed, const double *__restrict__ y_speed, double *__restrict__ new_density,
                          double *__restrict__ new_energy)
{
    int j = thread(), k = blockIdx.y * blockDim.y + threadIdx.y, at = k * n + j;
    if (k >= n - 1 || j >= n - 1)
        return;
    double left = x_area[at] * 0.25 * dt * (x_speed[at] + x_speed[at + n]);
    double right = x_area[at + 1] * 0.25 * dt * (x_speed[at + 1] + x_speed[at + n + 1]);
    double bottom = y_area[at] * 0.25 * dt * (y_speed[at] + y_speed[at + 1]);
    double top = y_area[at + n] * 0.25 * dt * (y_speed[at + n] + y_speed[at + n + 1]);
    double total = right - left + top - bottom, own = volume[at] + 1;
    double change = own / (own + total), by = 1 / own, mass = 1 / (density[at] + 0.1);
    double work = (pressure[at] + viscosity[at]) * mass * total * by;
    new_energy[at] = energy[at] - work;
    new_density[at] = (density[at] + 0.1) * change;
}

__global__ void limited(int n, const double *__restrict__ flux, const double *__restrict__ volume, const double *__restrict__ density,
                        const double *__restrict__ energy, const double *__restrict__ width, double *__restrict__ mass_flux,
                        double *__restrict__ energy_flux)
{
    int j = thread() + 2, k = blockIdx.y, row = k * n, at = row + j;
    if (j >= n - 1)
        return;
    double through = 0.5 * (flux[at] - 0.3);
    bool right = through > 0;
    int upwind = right ? j - 2 : min(j + 1, n - 1), donor = right ? j - 1 : j, downwind = right ? j : j - 1;
    int of_width = right ? donor : upwind;
    double own = density[row + donor], heat = energy[row + donor], size = volume[row + donor] + 1;
    double sigma = fabs(through) / size, third = (1 + sigma) * ((width[j] + 1) / (width[of_width] + 1));
    double up = own - density[row + upwind], down = density[row + downwind] - own, slope = 0;
    if (up * down > 0)
        slope = (1 - sigma) * copysign(fmin(fmin(fabs(up), fabs(down)), ((2 - sigma) * fabs(down) + third * fabs(up)) / 6), down);
    double mass = through * (own + slope), share_of_mass = fabs(mass) / ((own + 0.5) * size);
    up = heat - energy[row + upwind];
    down = energy[row + downwind] - heat;
    slope = 0;
    if (up * down > 0)
        slope = (1 - share_of_mass) * copysign(fmin(fmin(fabs(up), fabs(down)), ((2 - sigma) * fabs(down) + third * fabs(up)) / 6), down);
    mass_flux[at] = mass;
    energy_flux[at] = mass * (heat + slope);
}

__global__ void conducted(int n, const double *__restrict__ p, const double *__restrict__ kx, const double *__restrict__ ky,
                          double *__restrict__ w, double *__restrict__ product)
{
    int j = thread() + 1, i = blockIdx.y + 1, at = i * n + j;
    double sum = 0;
    if (j < n - 1) {
        double value = (1 + (ky[at + n] + ky[at]) + (kx[at + 1] + kx[at])) * p[at] - (ky[at + n] * p[at + n] + ky[at] * p[at - n]) -
                       (kx[at + 1] * p[at + 1] + kx[at] * p[at - 1]);
        w[at] = value;
        sum = value * p[at];
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        atomicAdd(product, sum);
}

__global__ void cross_sections(int n, const double *__restrict__ random, const point_of_nuclide *__restrict__ points,
                               double *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    double energy = random[i], sum[5] = {};
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
        point_of_nuclide p = points[low], q = points[low + 1];
        double f = (q.energy - energy) / (q.energy - p.energy), concentration = 0.1 * (1 + m);
        sum[0] += concentration * (q.total - f * (q.total - p.total));
        sum[1] += concentration * (q.elastic - f * (q.elastic - p.elastic));
        sum[2] += concentration * (q.absorbed - f * (q.absorbed - p.absorbed));
        sum[3] += concentration * (q.fission - f * (q.fission - p.fission));
        sum[4] += concentration * (q.nu - f * (q.nu - p.nu));
    }
    for (int k = 0; k < 5; k++)
        y[5 * i + k] = sum[k];
}

__global__ void resonances(int n, const double *__restrict__ random, const pole *__restrict__ poles, double2 *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    double energy = random[i] + 0.01, root = sqrt(energy), total = 0, absorbed = 0;
    int nuclide = (int)(random[n + i] * NUCLIDES), window = (int)(random[i] * WINDOWS);
    double phi = 0.7 * (1 + 0.01 * nuclide) * root, square = phi * phi;
    double phase[4] = {phi, phi - atan(phi), phi - atan(3 * phi / (3 - square)), phi - atan(phi * (15 - square) / (15 - 6 * square))};
    complex factor[4];
    for (int l = 0; l < 4; l++) {
        double sine, cosine;
        sincos(2 * phase[l], &sine, &cosine);
        factor[l] = {cosine, -sine};
    }
    for (int k = 0; k < POLES; k++) {
        int at = (nuclide * WINDOWS + window) * POLES + k;
        pole p = poles[at];
        complex z = {8 * (root - p.at.re), 2 * p.at.im + 0.1}, w = widened(z);
        total += times(times(p.total, factor[at / 3 % 4]), w).re;
        absorbed += times(p.absorbed, w).re;
    }
    y[i] = make_double2(total + 5, absorbed);
}

/// A thread has an angle; what comes in from `i` and `j` is in registers.
__global__ void swept(int groups, const double *__restrict__ source, const double *__restrict__ cosines, double *__restrict__ from_k,
                      double *__restrict__ flux)
{
    int g = blockIdx.x, a = threadIdx.x;
    double sigma = 1 + 0.01 * g, mu = cosines[a], eta = cosines[ANGLES + a], xi = cosines[2 * ANGLES + a];
    double by = 1 / (sigma + mu + eta + xi), *of_k = from_k + g * SWEPT * SWEPT * ANGLES + a;
    for (int cell = 0; cell < SWEPT * SWEPT; cell++)
        of_k[cell * ANGLES] = 0.5;
    for (int k = 0; k < SWEPT; k++) {
        double of_j[SWEPT];
#pragma unroll
        for (int i = 0; i < SWEPT; i++)
            of_j[i] = 0.4;
        for (int j = 0; j < SWEPT; j++) {
            double of_i = 0.3;
#pragma unroll
            for (int i = 0; i < SWEPT; i++) {
                int cell = (k * SWEPT + j) * SWEPT + i;
                double psik = of_k[(j * SWEPT + i) * ANGLES];
                double psi = (source[cell * groups + g] + mu * of_i + eta * of_j[i] + xi * psik) * by;
                of_i = fmax(2 * psi - of_i, 0.0);
                of_j[i] = fmax(2 * psi - of_j[i], 0.0);
                of_k[(j * SWEPT + i) * ANGLES] = fmax(2 * psi - psik, 0.0);
                double sum = sum_of_block(psi);
                if (a == 0)
                    flux[cell * groups + g] = sum / ANGLES;
            }
        }
    }
}

__global__ void repulsion(int n, const charge *__restrict__ pair, const double *__restrict__ density, double *__restrict__ y)
{
    int i = blockIdx.x;
    charge own = pair[i];
    double sum = 0, p = own.exponent + 0.2;
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        charge other = pair[j];
        double q = other.exponent + 0.2, dx = 3 * (own.x - other.x), dy = 3 * (own.y - other.y), dz = 3 * (own.z - other.z);
        double t = p * q / (p + q) * (dx * dx + dy * dy + dz * dz);
        sum += density[j] * other.factor * boys(t) / (p * q * sqrt(p + q));
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        y[i] = sum * own.factor * 34.98683665524972;
}

__global__ void self_energy(int vectors, int others, const complex *__restrict__ wtilde, const complex *__restrict__ eps,
                            const complex *__restrict__ left, const complex *__restrict__ right, double *__restrict__ y)
{
    int p = blockIdx.x, n = blockIdx.y;
    complex of_left = left[n * vectors + p], sum[3] = {};
    of_left.im = -of_left.im;
    for (int g = threadIdx.x; g < others; g += blockDim.x) {
        complex w = wtilde[p * others + g], e = eps[p * others + g], product = times(of_left, right[n * others + g]);
#pragma unroll
        for (int k = 0; k < 3; k++) {
            complex difference = {1.5 + 0.01 * n + 0.1 * k - w.re, -w.im}, term = times(times(over(w, difference), e), product);
            sum[k].re += term.re;
            sum[k].im += term.im;
        }
    }
#pragma unroll
    for (int k = 0; k < 3; k++) {
        double re = sum_of_block(sum[k].re), im = sum_of_block(sum[k].im);
        if (threadIdx.x == 0) {
            atomicAdd(&y[2 * k * 97], re);
            atomicAdd(&y[(2 * k + 1) * 97], im);
        }
    }
}

/// Eight threads have an element, each a row of its matrix.
__global__ void stiffness(int n, const int *__restrict__ nodes, const double (*__restrict__ where)[3],
                          const double *__restrict__ conductivity, double (*__restrict__ y)[8])
{
    int e = thread() / 8, i = threadIdx.x % 8;
    double sum[8] = {}, at[8][3], gradient[8][3];
#pragma unroll
    for (int c = 0; c < 8; c++)
        for (int d = 0; d < 3; d++)
            at[c][d] = where[nodes[8 * e + c]][d];
    double factor = conductivity[e] + 1;
    for (int q = 0; q < 8; q++) {
        double by = 0.577350269189626;
        double volume = gradients(at, by * corner[q][0], by * corner[q][1], by * corner[q][2], gradient) * factor, own[3] = {};
#pragma unroll
        for (int c = 0; c < 8; c++)
            for (int d = 0; d < 3; d++)
                own[d] = c == i ? gradient[c][d] : own[d];
#pragma unroll
        for (int j = 0; j < 8; j++)
            sum[j] += volume * (own[0] * gradient[j][0] + own[1] * gradient[j][1] + own[2] * gradient[j][2]);
    }
#pragma unroll
    for (int j = 0; j < 8; j++)
        y[8 * e + i][j] = sum[j];
}

__global__ void depthwise(int maps, int n, const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y)
{
    int j = threadIdx.x, i = blockIdx.x * blockDim.y + threadIdx.y, k = blockIdx.y, m = blockIdx.z;
    const float *map = x + (m * maps + k) * n * n;
    float sum = 0;
#pragma unroll
    for (int di = -1; di <= 1; di++)
#pragma unroll
        for (int dj = -1; dj <= 1; dj++)
            if (i + di >= 0 && i + di < n && j + dj >= 0 && j + dj < n)
                sum += w[k * 9 + (di + 1) * 3 + dj + 1] * map[(i + di) * n + j + dj];
    y[((m * maps + k) * n + i) * n + j] = fminf(fmaxf(sum, 0), 6);
}

__global__ void group_norm(const float4 *__restrict__ x, const float *__restrict__ scale, const float *__restrict__ shift,
                           float4 *__restrict__ y)
{
    const int count = CHANNELS * SMALL / 4;
    int group = blockIdx.x, first = group * count;
    float sum = 0, squares = 0;
    for (int k = threadIdx.x; k < count; k += blockDim.x) {
        float4 four = x[first + k];
        sum += four.x + four.y + four.z + four.w;
        squares += four.x * four.x + four.y * four.y + four.z * four.z + four.w * four.w;
    }
    sum = sum_of_block(sum);
    squares = sum_of_block(squares);
    float mean = sum / (CHANNELS * SMALL), by = 1 / sqrtf(squares / (CHANNELS * SMALL) - mean * mean + 1e-5f);
    for (int k = threadIdx.x; k < count; k += blockDim.x) {
        int channel = group % GROUPED * CHANNELS + k / (SMALL / 4);
        float4 four = x[first + k];
        float factor = by * scale[channel], rest = shift[channel] - mean * factor;
        y[first + k] = make_float4(four.x * factor + rest, four.y * factor + rest, four.z * factor + rest, four.w * factor + rest);
    }
}

/// A block has a row, a thread three elements of it in registers.
__global__ void layer_norm_back(const float *__restrict__ x, const float *__restrict__ dy, const float *__restrict__ scale,
                                const float *__restrict__ mean, const float *__restrict__ deviation, float *__restrict__ dx)
{
    const int each = WIDTH / THREADS;
    int i = blockIdx.x, first = i * WIDTH + threadIdx.x;
    float g[each], hat[each], sum = 0, product = 0, by = 1 / (deviation[i] + 0.5f), middle = mean[i];
#pragma unroll
    for (int k = 0; k < each; k++) {
        g[k] = dy[first + k * THREADS] * scale[threadIdx.x + k * THREADS];
        hat[k] = (x[first + k * THREADS] - middle) * by;
        sum += g[k];
        product += g[k] * hat[k];
    }
    sum = sum_of_block(sum);
    product = sum_of_block(product);
#pragma unroll
    for (int k = 0; k < each; k++)
        dx[first + k * THREADS] = by * (g[k] - 0.5f * (sum + hat[k] * product) / WIDTH);
}

__global__ void embedding_gradient(const int *__restrict__ token, const float *__restrict__ dy, float *__restrict__ table)
{
    int i = blockIdx.x * blockDim.y + threadIdx.y, d = threadIdx.x;
    atomicAdd(&table[token[i] % VOCABULARY * EMBEDDED + d], dy[i * EMBEDDED + d]);
}

/// A block has a row, a thread four elements of it in registers.
__global__ void softmax_gradient(const int *__restrict__ label, const float4 *__restrict__ x, float4 *__restrict__ y)
{
    int i = blockIdx.x, at = i * (CLASSES / 4) + threadIdx.x, wanted = label[i] % CLASSES - 4 * threadIdx.x;
    float4 four = x[at];
    float most = most_of_block(4 * fmaxf(fmaxf(four.x, four.y), fmaxf(four.z, four.w)));
    float p = expf(4 * four.x - most), q = expf(4 * four.y - most), r = expf(4 * four.z - most), s = expf(4 * four.w - most);
    float by = 1 / sum_of_block(p + q + r + s);
    y[at] = make_float4(p * by - (wanted == 0 ? 0.5f : 0), q * by - (wanted == 1 ? 0.5f : 0), r * by - (wanted == 2 ? 0.5f : 0),
                        s * by - (wanted == 3 ? 0.5f : 0));
}

__global__ void chroma(int n, const unsigned char *__restrict__ x, unsigned char *__restrict__ luma, unsigned char *__restrict__ u,
                       unsigned char *__restrict__ v)
{
    int j = thread(), i = blockIdx.y * blockDim.y + threadIdx.y, r = 0, g = 0, b = 0;
#pragma unroll
    for (int di = 0; di < 2; di++) {
        uchar2 pair;
#pragma unroll
        for (int dj = 0; dj < 2; dj++) {
            int at = (2 * i + di) * n + 2 * j + dj, red = x[3 * at], green = x[3 * at + 1], blue = x[3 * at + 2];
            int light = ((66 * red + 129 * green + 25 * blue + 128) >> 8) + 16;
            if (dj == 0)
                pair.x = light;
            else
                pair.y = light;
            r += red;
            g += green;
            b += blue;
        }
        ((uchar2 *)luma)[((2 * i + di) * n) / 2 + j] = pair;
    }
    u[i * (n / 2) + j] = ((-38 * r - 74 * g + 112 * b + 512) >> 10) + 128;
    v[i * (n / 2) + j] = ((112 * r - 94 * g - 18 * b + 512) >> 10) + 128;
}

/// Eight threads have a block of pixels in shared memory: each a row of it, then a column.
__global__ void decoded(int n, const int *__restrict__ quantum, const short *__restrict__ x, unsigned char *__restrict__ y)
{
    __shared__ int tiles[16][64];
    __shared__ int factor[64], place[64];
    if (threadIdx.x < 64) {
        factor[threadIdx.x] = (quantum[threadIdx.x] >> 20 & 7) + 1;
        place[threadIdx.x] = zigzag[threadIdx.x];
    }
    __syncthreads();
    int tile = threadIdx.x / 8, lane = threadIdx.x % 8, block = blockIdx.x * 16 + tile, *v = tiles[tile];
    for (int k = lane; k < 64; k += 8)
        v[place[k]] = (x[block * 64 + k] >> 9) * factor[k];
    __syncwarp();
    turn_back(v + 8 * lane, 1, 8);
    __syncwarp();
    turn_back(v + lane, 8, 15);
    __syncwarp();
    unsigned char *to = y + block / (n / 8) * 8 * n + block % (n / 8) * 8;
    unsigned low = 0, high = 0;
    for (int k = 0; k < 4; k++) {
        low |= byte_of(v[8 * lane + k] + 128) << 8 * k;
        high |= byte_of(v[8 * lane + 4 + k] + 128) << 8 * k;
    }
    *(uint2 *)(to + lane * n) = make_uint2(low, high);
}

/// A line is loaded 16 bytes at a time.
__global__ void runs(int n, const uint4 *__restrict__ x, unsigned char *__restrict__ codes, unsigned char *__restrict__ counts)
{
    int i = thread();
    if (i >= n)
        return;
    int count = 0, length = 0, last = -1;
    for (int k = 0; k < RUNS_OF / 16; k++) {
        uint4 bytes = x[i * (RUNS_OF / 16) + k];
        unsigned words[4] = {bytes.x, bytes.y, bytes.z, bytes.w};
#pragma unroll
        for (int b = 0; b < 16; b++) {
            int next = words[b / 4] >> (b % 4 * 8 + 6) & 3;
            if ((next == last || last < 0) && length < 63)
                length++;
            else {
                codes[i * RUNS_OF + count++] = last << 6 | length;
                length = 1;
            }
            last = next;
        }
    }
    codes[i * RUNS_OF + count++] = last << 6 | length;
    counts[i] = count;
}

__global__ void joined(int n, const int2 *__restrict__ slots, const int *__restrict__ keys, int *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    int key = keys[i];
    unsigned s = slot_of(key);
    int2 found = slots[s];
    while (found.x != key && found.x != -1) {
        s = (s + 1) % SLOTS;
        found = slots[s];
    }
    y[i] = found.y;
}

/// A block has 16 prints of either side in shared memory.
__global__ void likeness(int n, const unsigned *__restrict__ x, float *__restrict__ y)
{
    __shared__ unsigned left[16][OF_PRINT + 1], right[16][OF_PRINT + 1];
    for (int k = threadIdx.x; k < OF_PRINT; k += 16) {
        left[threadIdx.y][k] = x[(blockIdx.y * 16 + threadIdx.y) * OF_PRINT + k];
        right[threadIdx.y][k] = x[(blockIdx.x * 16 + threadIdx.y) * OF_PRINT + k];
    }
    __syncthreads();
    int both = 0, either = 0;
    for (int k = 0; k < OF_PRINT; k++) {
        unsigned p = left[threadIdx.y][k], q = right[threadIdx.x][k];
        both += __popc(p & q);
        either += __popc(p | q);
    }
    y[(blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 16 + threadIdx.x] = (float)both / (either + 1);
}

__global__ void leaders(int length, const int *__restrict__ first, const float *__restrict__ second, int *__restrict__ y)
{
    __shared__ unsigned long long parts[THREADS / WARP];
    int i = blockIdx.x;
    unsigned long long most = 0;
    for (int j = threadIdx.x; j < length; j += blockDim.x) {
        unsigned long long high = first[i * length + j] >> 20, middle = (unsigned)(second[i * length + j] * 1024);
        most = max(most, high << 48 | middle << 32 | (unsigned)(length - j));
    }
    for (int by = WARP / 2; by > 0; by /= 2)
        most = max(most, __shfl_xor_sync(~0u, most, by));
    if (threadIdx.x % WARP == 0)
        parts[threadIdx.x / WARP] = most;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < THREADS / WARP; k++)
            most = max(most, parts[k]);
        y[i] = length - (int)(most & 0xffffffffu);
    }
}

struct moments {
    double sum, squares;
    float least, most;
};

__device__ moments of_block(moments m)
{
    m.sum = sum_of_block(m.sum);
    m.squares = sum_of_block(m.squares);
    m.least = -most_of_block(-m.least);
    m.most = most_of_block(m.most);
    return m;
}

__global__ void moments_of_blocks(int n, const float4 *__restrict__ x, moments *__restrict__ parts)
{
    moments m = {0, 0, INFINITY, -INFINITY};
    for (int i = thread(); i < n / 4; i += gridDim.x * blockDim.x) {
        float4 four = x[i];
        float values[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            float value = 2 * values[k] + 1;
            m.sum += value;
            m.squares += value * value;
            m.least = fminf(m.least, value);
            m.most = fmaxf(m.most, value);
        }
    }
    m = of_block(m);
    if (threadIdx.x == 0)
        parts[blockIdx.x] = m;
}

__global__ void variance(int n, int blocks, const moments *__restrict__ parts, double *__restrict__ y)
{
    moments m = {0, 0, INFINITY, -INFINITY};
    for (int i = threadIdx.x; i < blocks; i += blockDim.x) {
        m.sum += parts[i].sum;
        m.squares += parts[i].squares;
        m.least = fminf(m.least, parts[i].least);
        m.most = fmaxf(m.most, parts[i].most);
    }
    m = of_block(m);
    if (threadIdx.x == 0) {
        y[0] = m.sum / n;
        y[97] = m.squares / n - m.sum / n * (m.sum / n);
        y[2 * 97] = m.least;
        y[3 * 97] = m.most;
    }
}

__global__ void complex_dot(int n, const float2 *__restrict__ p, const float2 *__restrict__ q, double *__restrict__ y)
{
    double re = 0, im = 0;
    for (int i = thread(); i < n; i += gridDim.x * blockDim.x) {
        float2 a = p[i], b = q[i];
        re += a.x * b.x + a.y * b.y;
        im += a.y * b.x - a.x * b.y;
    }
    re = sum_of_block(re);
    im = sum_of_block(im);
    if (threadIdx.x == 0) {
        atomicAdd(&y[0], re);
        atomicAdd(&y[97], im);
    }
}

__global__ void packed_triangle(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y)
{
    int i = blockIdx.x, first = i * (i + 1) / 2;
    float sum = 0;
    for (int j = threadIdx.x; j <= i; j += blockDim.x)
        sum += a[first + j] * x[j];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        y[i] = sum;
}

__global__ void band_products(int n, const float *__restrict__ band, const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread() / SIDES, s = threadIdx.x % SIDES, first = max(i - REACH, 0), last = min(i + REACH, n - 1);
    float sum = 0;
    for (int j = first; j <= last; j++)
        sum += band[i * (2 * REACH + 1) + j - i + REACH] * x[j * SIDES + s];
    y[i * SIDES + s] = sum;
}

int main()
{
    std::vector<float> numbers(N), others(N);
    std::vector<int> indices(N), near(FACES * ELEMENTS), of_hexes(8 * ALL_HEXES), starts(CORNERS + 1), meeting(8 * ALL_HEXES);
    std::vector<int> of_disc(2 * MOST_OF_DISC);
    std::vector<double> doubles(N / 2), coordinates(3 * CORNERS);
    std::vector<point_of_nuclide> nuclides(NUCLIDES * ENERGIES);
    std::vector<slot> table(SLOTS);
    fill_numbers(numbers.data(), others.data(), indices.data(), doubles.data());
    fill_neighbours(indices.data(), near.data());
    fill_mesh(numbers.data(), of_hexes.data(), coordinates.data(), starts.data(), meeting.data());
    fill_nuclides(numbers.data(), nuclides.data());
    fill_slots(indices.data(), table.data());
    const int pixels = fill_disc(of_disc.data()), cube = GRID * GRID * GRID, field = CLOVER * CLOVER, heat = CONDUCTOR * CONDUCTOR;
    const double ahead = factor_of_seeds();
    float *a = copy(numbers), *b = copy(others);
    int *at = copy(indices), *neighbours = copy(near), *nodes = copy(of_hexes), *start = copy(starts), *corners = copy(meeting);
    int2 *disc = (int2 *)copy(of_disc), *slots = (int2 *)copy(table);
    double *wide = copy(doubles), *where = copy(coordinates), *work;
    point_of_nuclide *points = copy(nuclides);
    check(cudaMalloc(&c, 4L * N));
    check(cudaMalloc(&work, 16L * cube));
    double *out = (double *)c;
    int *ints = (int *)c;
    unsigned char *bytes = (unsigned char *)at, *bytes_out = (unsigned char *)c;
    const int T = THREADS, BLOCKS_OF_SUM = 1056;
    dim3 threads(32, 8);
    measure<float>("chip", LAYERS * CHIP * CHIP,
                   [=] { chip<<<dim3(CHIP / 32, CHIP / 8, LAYERS), threads>>>(LAYERS, CHIP, b, a, c); });
    measure<float>("trailing", PLANE * PLANE,
                   [=] { trailing<<<dim3(PLANE / PANEL - 1, PLANE / PANEL - 1), dim3(PANEL, PANEL)>>>(PLANE, a, c); });
    measure<float>("eliminated", PLANE * PLANE,
                   [=] { eliminated<<<dim3(PLANE / 32, PLANE / 8), threads>>>(PLANE, STEP, a, c); });
    measure<int>("alignments", PAIRS, [=] { alignments<<<PAIRS, LETTERS>>>(bytes, bytes + PAIRS * LETTERS, ints); });
    measure<int>("memberships", POINTS, [=] { memberships<<<POINTS / T, T>>>(POINTS, (float2 *)a, b, ints); });
    measure<float>("adjusted", 2 * INPUTS * HIDDEN,
                   [=] { adjusted<<<dim3(HIDDEN / T, INPUTS), T>>>(HIDDEN, a, b, c, c + INPUTS * HIDDEN); });
    measure<double>("boxes", 4 * BOXES * BOXES * BOXES * IN_BOX, [=] {
        boxes<<<BOXES * BOXES * BOXES, 128>>>(BOXES, (particle *)wide, wide + 4 * BOXES * BOXES * BOXES * IN_BOX, (particle *)c);
    });
    measure<float>("fluxes", 5 * ELEMENTS, [=] { fluxes<<<ELEMENTS / 128, 128>>>(ELEMENTS, neighbours, b, a, c); });
    measure<double>("likelihoods", PARTICLES,
                    [=] { likelihoods<<<PARTICLES / T, T>>>(PARTICLES, pixels, disc, bytes, wide, wide + PARTICLES, out); });
    measure<float>("neurons", 4 * NEURONS, [=] { neurons<<<NEURONS / T, T>>>(NEURONS, a, c, c + NEURONS); });
    measure<double>("right_sides", 5 * GRID * GRID * GRID, [=] {
        right_sides<<<dim3(GRID / 2, GRID - 2), dim3(GRID, 2)>>>(GRID, (double(*)[5])wide, (double(*)[5])(wide + 2 * cube),
                                                                 (double(*)[5])c);
    });
    measure<double>("eliminated_blocks", 30 * BLOCKS, [=] {
        eliminated_blocks<<<BLOCKS / 128, 128>>>(BLOCKS, (double(*)[5][5])wide, (double(*)[5][5])(wide + 25 * BLOCKS),
                                                 (double(*)[5])(wide + 50 * BLOCKS), (double(*)[5][5])c,
                                                 (double(*)[5])(out + 25 * BLOCKS));
    });
    measure<double>("pentadiagonal", GRID * GRID * GRID,
                    [=] { pentadiagonal<<<GRID * GRID / 64, 64>>>(GRID, wide, wide + cube, work, work + cube, out); });
    measure<double>("conjugate", RHO_AT + 1, [=] {
        conjugate<<<BLOCKS_OF_SUM, T>>>(UNKNOWNS, 0.1, wide, wide + UNKNOWNS, out, out + UNKNOWNS, out + RHO_AT);
    });
    measure<double>("restricted", FINE * FINE * FINE / 8,
                    [=] { restricted<<<dim3(FINE / 4, FINE / 2 - 1), dim3(FINE / 2, 2)>>>(FINE / 2, wide, out); });
    measure<double>("prolonged", FINE * FINE * FINE,
                    [=] { prolonged<<<dim3(FINE / 4, FINE / 2 - 1), dim3(FINE / 2, 2)>>>(FINE / 2, wide, out); });
    measure<double>("evolved", WAVES * WAVES * WAVES,
                    [=] { evolved<<<dim3(WAVES, WAVES / 2), WAVES>>>(WAVES, 1e-4, (double2 *)wide, (double2 *)c); });
    measure<double>("deviates", 12 * 97, [=] { deviates<<<SEEDS / 128, 128>>>(SEEDS, ahead, out); });
    measure<float>("image_of_samples", 2 * VOXELS, [=] {
        image_of_samples<<<VOXELS / T, T>>>(a, a + VOXELS, a + 2 * VOXELS, (float4 *)b, c, c + VOXELS);
    });
    measure<float>("pulled", DIRECTIONS * LATTICE * LATTICE * LATTICE / 2,
                   [=] { pulled<<<dim3(LATTICE, LATTICE / 2), LATTICE>>>(LATTICE, at, a, c); });
    measure<float>("pushed", OF_CELL * LATTICE * LATTICE * LATTICE / 2,
                   [=] { pushed<<<dim3(LATTICE - 2, LATTICE / 2 - 2), LATTICE>>>(LATTICE, (float4 *)a, c); });
    measure<double>("tendencies", AIR * AIR * LEVELS, [=] {
        tendencies<<<dim3(AIR / 2 - 3, AIR - 6), dim3(LEVELS, 2)>>>(AIR, at, wide, wide + AIR * AIR * LEVELS, wide + 97, out);
    });
    measure<double>("hourglass", 24 * ALL_HEXES, [=] {
        hourglass<<<ALL_HEXES / 128, 128>>>(ALL_HEXES, nodes, where, wide, (double(*)[3][8])(wide + 3 * CORNERS),
                                            wide + 7 * CORNERS + 11, (double(*)[3][8])c);
    });
    measure<double>("of_corners", 3 * CORNERS, [=] {
        of_corners<<<CORNERS / 128 + 1, 128>>>(CORNERS, start, corners, wide, wide + 8 * ALL_HEXES, wide + 16 * ALL_HEXES, out);
    });
    measure<double>("energies", 3 * STATES,
                    [=] { energies<<<STATES / T, T>>>(STATES, wide, out, out + STATES, out + 2 * STATES); });
    measure<double>("work_done", 2 * field, [=] {
        work_done<<<dim3(CLOVER / 32, CLOVER / 8), threads>>>(CLOVER, 0.1, wide, wide + field, wide + 2 * field, wide + 3 * field,
                                                              wide + 4 * field, wide + 5 * field, wide + 6 * field, wide + 7 * field,
                                                              wide + 8 * field, out, out + field);
    });
    measure<double>("limited", 2 * field, [=] {
        limited<<<dim3(CLOVER / T, CLOVER), T>>>(CLOVER, wide, wide + field, wide + 2 * field, wide + 3 * field, wide + 4 * field, out,
                                                 out + field);
    });
    measure<double>("conducted", 97 * (heat / 97 + 1) + 1, [=] {
        conducted<<<dim3(CONDUCTOR / T, CONDUCTOR - 2), T>>>(CONDUCTOR, wide, wide + heat, wide + 2 * heat, out,
                                                             out + 97 * (heat / 97 + 1));
    });
    measure<double>("cross_sections", 5 * LOOKUPS, [=] { cross_sections<<<LOOKUPS / T, T>>>(LOOKUPS, wide, points, out); });
    measure<double>("resonances", 2 * RESONANCES, [=] {
        resonances<<<RESONANCES / 128, 128>>>(RESONANCES, wide, (pole *)(wide + 2 * RESONANCES), (double2 *)c);
    });
    measure<double>("swept", GROUPS * SWEPT * SWEPT * SWEPT, [=] { swept<<<GROUPS, ANGLES>>>(GROUPS, wide, wide + N / 4, work, out); });
    measure<double>("repulsion", CHARGES, [=] { repulsion<<<CHARGES, T>>>(CHARGES, (charge *)wide, wide + N / 4, out); });
    measure<double>("self_energy", 6 * 97, [=] {
        self_energy<<<dim3(VECTORS, BANDS), T>>>(VECTORS, OTHERS, (complex *)wide, (complex *)(wide + 2 * VECTORS * OTHERS),
                                                 (complex *)(wide + N / 4), (complex *)(wide + N / 4 + 2 * BANDS * VECTORS), out);
    });
    measure<double>("stiffness", 64 * STIFF,
                    [=] { stiffness<<<STIFF / 16, 128>>>(STIFF, nodes, (double(*)[3])where, wide, (double(*)[8])c); });
    measure<float>("depthwise", IMAGES * MAPS * PICTURE * PICTURE,
                   [=] { depthwise<<<dim3(PICTURE / 4, MAPS, IMAGES), dim3(PICTURE, 4)>>>(MAPS, PICTURE, a, b, c); });
    measure<float>("group_norm", BATCH * GROUPED * CHANNELS * SMALL,
                   [=] { group_norm<<<BATCH * GROUPED, T>>>((float4 *)a, b, b + GROUPED * CHANNELS, (float4 *)c); });
    measure<float>("layer_norm_back", TOKENS * WIDTH,
                   [=] { layer_norm_back<<<TOKENS, T>>>(a, b, a + N / 2, b + N / 2, b + N / 2 + TOKENS, c); });
    measure<float>("embedding_gradient", VOCABULARY * EMBEDDED,
                   [=] { embedding_gradient<<<WORDS / 2, dim3(EMBEDDED, 2)>>>(at, a, c); });
    measure<float>("softmax_gradient", EXAMPLES * CLASSES,
                   [=] { softmax_gradient<<<EXAMPLES, CLASSES / 4>>>(at, (float4 *)a, (float4 *)c); });
    measure<unsigned char>("chroma", PLANE * PLANE / 2 * 3, [=] {
        chroma<<<dim3(PLANE / 64, PLANE / 16), threads>>>(PLANE, bytes, bytes_out, bytes_out + PLANE * PLANE,
                                                          bytes_out + PLANE * PLANE / 4 * 5);
    });
    measure<unsigned char>("decoded", PLANE * PLANE,
                           [=] { decoded<<<PLANE / 8 * (PLANE / 8) / 16, 128>>>(PLANE, at, (short *)at, bytes_out); });
    measure<unsigned char>("runs", LINES * (RUNS_OF + 1),
                           [=] { runs<<<LINES / 128, 128>>>(LINES, (uint4 *)at, bytes_out, bytes_out + LINES * RUNS_OF); });
    measure<int>("joined", PROBES, [=] { joined<<<PROBES / T, T>>>(PROBES, slots, at + SLOTS / 4, ints); });
    measure<float>("likeness", PRINTS * PRINTS,
                   [=] { likeness<<<dim3(PRINTS / 16, PRINTS / 16), dim3(16, 16)>>>(PRINTS, (unsigned *)at, c); });
    measure<int>("leaders", ROWS, [=] { leaders<<<ROWS, T>>>(COLUMNS, at, b, ints); });
    measure<double>("variance", 4 * 97, [=] {
        moments_of_blocks<<<BLOCKS_OF_SUM, T>>>(N, (float4 *)a, (moments *)work);
        variance<<<1, T>>>(N, BLOCKS_OF_SUM, (moments *)work, out);
    });
    measure<double>("complex_dot", 2 * 97, [=] { complex_dot<<<BLOCKS_OF_SUM, T>>>(COMPLEX, (float2 *)a, (float2 *)b, out); });
    measure<float>("packed_triangle", ORDER, [=] { packed_triangle<<<ORDER, 128>>>(a, b, c); });
    measure<float>("band_products", BANDED * SIDES, [=] { band_products<<<BANDED * SIDES / T, T>>>(BANDED, a, b, c); });
    return 0;
}
