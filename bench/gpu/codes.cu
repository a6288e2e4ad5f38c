// The loops of codes.c in CUDA, as a programmer who knows it writes them first: a thread for each element, a block for a row.
//
//     name median-microseconds checksum
#include "codes.h"
#include "measured.cuh"

__global__ void layer_norm(int n, const float *__restrict__ x, const float *__restrict__ scale, float *__restrict__ y)
{
    const float *row = x + (long)blockIdx.x * n;
    float sum = 0, squares = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        sum += row[j];
        squares += row[j] * row[j];
    }
    sum = sum_of_block(sum);
    squares = sum_of_block(squares);
    float mean = sum / n, factor = 1 / sqrtf(squares / n - mean * mean + 1e-5f);
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        y[(long)blockIdx.x * n + j] = (row[j] - mean) * factor * scale[j] + 0.5f;
}

__global__ void batch_norm(const float *__restrict__ x, float *__restrict__ y)
{
    int k = blockIdx.x;
    float sum = 0, squares = 0;
    for (int m = 0; m < IMAGES; m++)
        for (int p = threadIdx.x; p < PIXELS; p += blockDim.x) {
            float value = x[(m * CHANNELS + k) * PIXELS + p];
            sum += value;
            squares += value * value;
        }
    sum = sum_of_block(sum);
    squares = sum_of_block(squares);
    float count = IMAGES * PIXELS, mean = sum / count, factor = 1 / sqrtf(squares / count - mean * mean + 1e-5f);
    for (int m = 0; m < IMAGES; m++)
        for (int p = threadIdx.x; p < PIXELS; p += blockDim.x)
            y[(m * CHANNELS + k) * PIXELS + p] = (x[(m * CHANNELS + k) * PIXELS + p] - mean) * factor;
}

__global__ void channels(int n, const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y)
{
    int j = thread() + 1, i = blockIdx.y + 1, k = blockIdx.z;
    if (j >= n - 1)
        return;
    float sum = 0;
    for (int from = 0; from < CHANNELS; from++)
        for (int di = 0; di < 3; di++)
            for (int dj = 0; dj < 3; dj++)
                sum += w[((k * CHANNELS + from) * 3 + di) * 3 + dj] * x[(from * n + i + di - 1) * n + j + dj - 1];
    y[(k * n + i) * n + j] = fmaxf(sum, 0);
}

__global__ void pool(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread(), i = blockIdx.y, m = blockIdx.z;
    float most = -INFINITY;
    for (int di = 0; di < 2; di++)
        for (int dj = 0; dj < 2; dj++)
            most = fmaxf(most, x[(m * n + 2 * i + di) * n + 2 * j + dj]);
    y[(m * (n / 2) + i) * (n / 2) + j] = most;
}

__global__ void scores(int n, const float *__restrict__ q, const float *__restrict__ k, float *__restrict__ s)
{
    int j = thread(), i = blockIdx.y;
    float sum = 0;
    for (int d = 0; d < DEPTH; d++)
        sum += q[i * DEPTH + d] * k[j * DEPTH + d];
    s[i * n + j] = sum * 0.125f;
}

__global__ void enlarge(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread(), i = blockIdx.y, wide = 2 * n;
    float r = i * 0.5f * (n - 1) / n, s = j * 0.5f * (n - 1) / n;
    int p = r, q = s;
    float dr = r - p, ds = s - q;
    y[i * wide + j] = (1 - dr) * ((1 - ds) * x[p * n + q] + ds * x[p * n + q + 1]) +
                      dr * ((1 - ds) * x[(p + 1) * n + q] + ds * x[(p + 1) * n + q + 1]);
}

__global__ void sobel(int n, const unsigned char *__restrict__ x, unsigned char *__restrict__ y)
{
    int j = thread() + 1, i = blockIdx.y + 1;
    if (j >= n - 1)
        return;
    int a = x[(i - 1) * n + j + 1] + 2 * x[i * n + j + 1] + x[(i + 1) * n + j + 1] - x[(i - 1) * n + j - 1] - 2 * x[i * n + j - 1] -
            x[(i + 1) * n + j - 1];
    int b = x[(i + 1) * n + j - 1] + 2 * x[(i + 1) * n + j] + x[(i + 1) * n + j + 1] - x[(i - 1) * n + j - 1] -
            2 * x[(i - 1) * n + j] - x[(i - 1) * n + j + 1];
    int sum = abs(a) + abs(b);
    y[i * n + j] = sum > 255 ? 255 : sum;
}

__global__ void bilateral(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread() + 2, i = blockIdx.y + 2;
    if (j >= n - 2)
        return;
    float middle = x[i * n + j], sum = 0, weights = 0;
    for (int k = -2; k <= 2; k++)
        for (int l = -2; l <= 2; l++) {
            float value = x[(i + k) * n + j + l], by = value - middle;
            float weight = expf(-0.2f * (k * k + l * l) - 8 * by * by);
            sum += weight * value;
            weights += weight;
        }
    y[i * n + j] = sum / weights;
}

__device__ void order(float &p, float &q)
{
    float least = fminf(p, q);
    q = fmaxf(p, q);
    p = least;
}

__global__ void median(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread() + 1, i = blockIdx.y + 1;
    if (j >= n - 1)
        return;
    float v[9];
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            v[3 * k + l] = x[(i + k - 1) * n + j + l - 1];
    order(v[1], v[2]); order(v[4], v[5]); order(v[7], v[8]); order(v[0], v[1]); order(v[3], v[4]); order(v[6], v[7]);
    order(v[1], v[2]); order(v[4], v[5]); order(v[7], v[8]); order(v[0], v[3]); order(v[5], v[8]); order(v[4], v[7]);
    order(v[3], v[6]); order(v[1], v[4]); order(v[2], v[5]); order(v[4], v[7]); order(v[4], v[2]); order(v[6], v[4]);
    order(v[4], v[2]);
    y[i * n + j] = v[4];
}

__global__ void life(int n, const int *__restrict__ x, int *__restrict__ y)
{
    int j = thread(), i = blockIdx.y;
    int up = (i + n - 1) % n, down = (i + 1) % n, left = (j + n - 1) % n, right = (j + 1) % n;
    int count = (x[up * n + left] & 1) + (x[up * n + j] & 1) + (x[up * n + right] & 1) + (x[i * n + left] & 1) +
                (x[i * n + right] & 1) + (x[down * n + left] & 1) + (x[down * n + j] & 1) + (x[down * n + right] & 1);
    y[i * n + j] = count == 3 || (count == 2 && (x[i * n + j] & 1));
}

__global__ void advect(int n, const float *__restrict__ u, const float *__restrict__ v, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread(), i = blockIdx.y;
    float r = fminf(fmaxf(i - 4 * v[i * n + j], 0), n - 1.001f), s = fminf(fmaxf(j - 4 * u[i * n + j], 0), n - 1.001f);
    int p = (int)r, q = (int)s;
    float dr = r - p, ds = s - q;
    y[i * n + j] = (1 - dr) * ((1 - ds) * x[p * n + q] + ds * x[p * n + q + 1]) +
                   dr * ((1 - ds) * x[(p + 1) * n + q] + ds * x[(p + 1) * n + q + 1]);
}

__global__ void options(int n, const double *__restrict__ x, double *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    double price = 10 + 20 * x[i], strike = 15 + 10 * x[n + i], time = 0.25 + 9 * x[2 * n + i], root = sqrt(time);
    double d1 = (log(price / strike) + (0.02 + 0.5 * 0.3 * 0.3) * time) / (0.3 * root), d2 = d1 - 0.3 * root;
    y[i] = price * 0.5 * erfc(-d1 * 0.70710678118654752) - strike * exp(-0.02 * time) * 0.5 * erfc(-d2 * 0.70710678118654752);
}

__global__ void walkers(int n, const int *__restrict__ seed, float *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    unsigned state = seed[i] * 2654435761u + 1;
    int inside = 0;
    for (int k = 0; k < DRAWS; k++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        float u = (state & 0xffff) / 65536.0f, v = (state >> 16) / 65536.0f;
        if (u * u + v * v < 1)
            inside++;
    }
    y[i] = 4.0f * inside / DRAWS;
}

__global__ void compare_exchange(int n, int by, int block, float *__restrict__ y, const float *__restrict__ x)
{
    int i = thread();
    if (i >= n)
        return;
    int other = i ^ by;
    float mine = x[i], theirs = x[other];
    bool rising = (i & block) == 0, first = i < other;
    y[i] = rising == first ? fminf(mine, theirs) : fmaxf(mine, theirs);
}

__global__ void normalise(int n, const float4 *__restrict__ x, float4 *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    float4 v = x[i];
    float factor = 1 / sqrtf(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w);
    y[i] = make_float4(v.x * factor, v.y * factor, v.z * factor, v.w * factor);
}

__global__ void ell(int n, const int *__restrict__ column, const float *__restrict__ value, const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < PER_ROW; k++)
        sum += value[k * n + i] * x[column[k * n + i]];
    y[i] = sum;
}

__global__ void tridiagonal(int systems, int n, const float *__restrict__ d, float *__restrict__ factor, float *__restrict__ y)
{
    int j = thread();
    if (j >= systems)
        return;
    float f = -0.25f, last = 0.25f * d[j];
    factor[j] = f;
    y[j] = last;
    for (int i = 1; i < n; i++) {
        float by = 1 / (4 + f);
        factor[i * systems + j] = f = -by;
        y[i * systems + j] = last = (d[i * systems + j] + last) * by;
    }
    for (int i = n - 2; i >= 0; i--)
        y[i * systems + j] = last = y[i * systems + j] - factor[i * systems + j] * last;
}

__global__ void wave(int n, const float *__restrict__ x, const float *__restrict__ before, float *__restrict__ y)
{
    int k = thread() + 4, j = blockIdx.y + 4, i = blockIdx.z + 4;
    if (k >= n - 4)
        return;
    int at = (i * n + j) * n + k;
    float sum = -8.5f * x[at];
    sum += 1.6f * (x[at - 1] + x[at + 1] + x[at - n] + x[at + n] + x[at - n * n] + x[at + n * n]);
    sum -= 0.2f * (x[at - 2] + x[at + 2] + x[at - 2 * n] + x[at + 2 * n] + x[at - 2 * n * n] + x[at + 2 * n * n]);
    sum += 0.025f * (x[at - 3] + x[at + 3] + x[at - 3 * n] + x[at + 3 * n] + x[at - 3 * n * n] + x[at + 3 * n * n]);
    sum -= 0.002f * (x[at - 4] + x[at + 4] + x[at - 4 * n] + x[at + 4 * n] + x[at - 4 * n * n] + x[at + 4 * n * n]);
    y[at] = 2 * x[at] - before[at] + 0.1f * sum;
}

__global__ void magnetic(int n, const float *__restrict__ ex, const float *__restrict__ ey, const float *__restrict__ ez, float *__restrict__ h)
{
    int k = thread(), j = blockIdx.y, i = blockIdx.z, cells = n * n * n;
    if (k >= n - 1)
        return;
    int at = (i * n + j) * n + k;
    h[at] = 0.5f * (ey[at + 1] - ey[at] - ez[at + n] + ez[at]);
    h[cells + at] = 0.5f * (ez[at + n * n] - ez[at] - ex[at + 1] + ex[at]);
    h[2 * cells + at] = 0.5f * (ex[at + n] - ex[at] - ey[at + n * n] + ey[at]);
}

template <class Type> __global__ void product(int n, const Type *__restrict__ a, const Type *__restrict__ b, Type *__restrict__ c)
{
    int j = thread(), i = blockIdx.y * blockDim.y + threadIdx.y;
    Type sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
}

/// A block has a tile of each matrix in shared memory.
__global__ void tiled_product(int n, const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ c)
{
    __shared__ double left[16][16], right[16][16];
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    double sum = 0;
    for (int from = 0; from < n; from += 16) {
        left[threadIdx.y][threadIdx.x] = a[i * n + from + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(from + threadIdx.y) * n + j];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += left[threadIdx.y][k] * right[k][threadIdx.x];
        __syncthreads();
    }
    c[i * n + j] = sum;
}

__global__ void pairs(int n, const int *__restrict__ list, const vec3 *__restrict__ at, vec3 *__restrict__ force)
{
    int i = thread();
    if (i >= n)
        return;
    vec3 f = { 0, 0, 0 }, here = at[i];
    for (int k = 0; k < NEIGHBOURS; k++) {
        int j = list[i * NEIGHBOURS + k] % n;
        vec3 there = at[j];
        float dx = here.x - there.x, dy = here.y - there.y, dz = here.z - there.z, r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < 0.25f && j != i) {
            float by = 1 / (r2 + 0.01f), by6 = by * by * by, size = by6 * (by6 - 0.5f) * by * 1e-6f;
            f.x += dx * size;
            f.y += dy * size;
            f.z += dz * size;
        }
    }
    force[i] = f;
}

__global__ void small_factors(int n, const double *__restrict__ a, double *__restrict__ l)
{
    int m = thread();
    if (m >= n)
        return;
    double t[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j <= i; j++) {
            double sum = a[m * 16 + i * 4 + j] + (i == j) * 8;
            for (int k = 0; k < j; k++)
                sum -= t[i][k] * t[j][k];
            t[i][j] = i == j ? sqrt(sum) : sum / t[j][j];
        }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            l[m * 16 + i * 4 + j] = j <= i ? t[i][j] : 0;
}

__global__ void gradient(int n, const double *__restrict__ x, double *__restrict__ y)
{
    int j = thread() + 1, i = blockIdx.y + 1;
    if (j >= n - 1)
        return;
    double dx = x[i * n + j + 1] - x[i * n + j - 1], dy = x[(i + 1) * n + j] - x[(i - 1) * n + j];
    y[i * n + j] = sqrt(dx * dx + dy * dy);
}

__global__ void star(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread() + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i < n - 1 && j < n - 1)
        y[i * n + j] = 0.2f * (x[i * n + j] + x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1] + x[i * n + j + 1]);
}

__global__ void red_cells(int n, const float *__restrict__ f, float *u)
{
    int i = blockIdx.y + 1, j = 1 + i % 2 + 2 * thread();
    if (j < n - 1)
        u[i * n + j] = 0.25f * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] + f[i * n + j]);
}

__device__ const char word[4] = { 3, 1, 0, 0 };

__global__ void words(int n, const char *__restrict__ text, char *__restrict__ found)
{
    int i = thread();
    if (i >= n - 4)
        return;
    bool same = true;
    for (int k = 0; k < 4; k++)
        if ((text[i + k] & 3) != word[k]) {
            same = false;
            break;
        }
    found[i] = same;
}

__global__ void search(int n, int entries, const float *__restrict__ table, const float *__restrict__ x, int *__restrict__ y)
{
    int i = thread();
    if (i >= n)
        return;
    int low = 0, high = entries;
    while (low < high) {
        int middle = (low + high) / 2;
        if (table[middle] < x[i])
            low = middle + 1;
        else
            high = middle;
    }
    y[i] = low;
}

/// A block adds up in shared memory first.
__global__ void centres(int n, const float *__restrict__ x, const int *__restrict__ of, float *__restrict__ sum)
{
    __shared__ float part[3 * CENTRES];
    if (threadIdx.x < 3 * CENTRES)
        part[threadIdx.x] = 0;
    __syncthreads();
    for (int i = thread(); i < n; i += gridDim.x * blockDim.x) {
        int k = of[i] % CENTRES;
        for (int d = 0; d < 3; d++)
            atomicAdd(&part[k * 3 + d], x[d * n + i]);
    }
    __syncthreads();
    if (threadIdx.x < 3 * CENTRES)
        atomicAdd(&sum[threadIdx.x], part[threadIdx.x]);
}

__global__ void divisors(int n, const unsigned *__restrict__ x, unsigned *__restrict__ y)
{
    int i = thread();
    if (i >= n - 1)
        return;
    unsigned a = x[i] | 1, b = x[i + 1] | 1;
    while (b != 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    y[i] = a;
}

int main()
{
    std::vector<float> numbers(N), others(N), sorted(TABLE);
    std::vector<int> indices(N);
    std::vector<double> doubles(N / 2);
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        numbers[i] = (state >> 8) * 0x1p-24f;
        others[i] = 1.0f - numbers[i];
        indices[i] = (state >> 4) % ROWS;
        doubles[i / 2] = numbers[i];
    }
    for (int i = 0; i < TABLE; i++)
        sorted[i] = (float)i / TABLE;
    float *a = copy(numbers), *b = copy(others), *table = copy(sorted), *work;
    int *at = copy(indices);
    double *wide = copy(doubles);
    check(cudaMalloc(&c, 4L * N));
    check(cudaMalloc(&work, 4L * SYSTEMS * UNKNOWNS));
    int *ints = (int *)c;
    double *longs = (double *)c;
    const int T = THREADS;
    dim3 plane(PLANE / T, PLANE), side(SIDE / T, SIDE), inner(SIDE / T, SIDE - 2), threads(32, 8);
    measure<float>("layer_norm", TOKENS * WIDTH, [=] { layer_norm<<<TOKENS, T>>>(WIDTH, a, b, c); });
    measure<float>("batch_norm", IMAGES * CHANNELS * PIXELS, [=] { batch_norm<<<CHANNELS, 1024>>>(a, c); });
    measure<float>("channels", CHANNELS * PICTURE * PICTURE,
                   [=] { channels<<<dim3(1, PICTURE - 2, CHANNELS), 128>>>(PICTURE, a, b, c); });
    measure<float>("pool", 16 * (PLANE / 4) * (PLANE / 4),
                   [=] { pool<<<dim3(PLANE / 4 / T, PLANE / 4, 16), T>>>(PLANE / 2, a, c); });
    measure<float>("scores", HEADS * HEADS, [=] { scores<<<dim3(HEADS / T, HEADS), T>>>(HEADS, a, b, c); });
    measure<float>("enlarge", PLANE * PLANE, [=] { enlarge<<<plane, T>>>(PLANE / 2, a, c); });
    measure<unsigned char>("sobel", SIDE * SIDE, [=] { sobel<<<inner, T>>>(SIDE, (unsigned char *)at, (unsigned char *)c); });
    measure<float>("bilateral", PLANE * PLANE, [=] { bilateral<<<dim3(PLANE / T, PLANE - 4), T>>>(PLANE, a, c); });
    measure<float>("median", PLANE * PLANE, [=] { median<<<dim3(PLANE / T, PLANE - 2), T>>>(PLANE, a, c); });
    measure<int>("life", PLANE * PLANE, [=] { life<<<plane, T>>>(PLANE, at, ints); });
    measure<float>("advect", PLANE * PLANE, [=] { advect<<<plane, T>>>(PLANE, a, b, a + PLANE * PLANE, c); });
    measure<double>("options", OPTIONS, [=] { options<<<OPTIONS / T, T>>>(OPTIONS, wide, longs); });
    measure<float>("walkers", WALKERS, [=] { walkers<<<WALKERS / T, T>>>(WALKERS, at, c); });
    measure<float>("compare_exchange", N, [=] { compare_exchange<<<N / T, T>>>(N, 1 << 9, 1 << 12, c, a); });
    measure<float>("normalise", N, [=] { normalise<<<N / 4 / T, T>>>(N / 4, (float4 *)a, (float4 *)c); });
    measure<float>("ell", ROWS, [=] { ell<<<ROWS / T, T>>>(ROWS, at, a, b, c); });
    measure<float>("tridiagonal", SYSTEMS * UNKNOWNS, [=] { tridiagonal<<<SYSTEMS / 128, 128>>>(SYSTEMS, UNKNOWNS, a, work, c); });
    measure<float>("wave", EDGE * EDGE * EDGE, [=] { wave<<<dim3(5, EDGE - 8, EDGE - 8), 64>>>(EDGE, a, b, c); });
    measure<float>("magnetic", EDGE * EDGE * EDGE, [=] { magnetic<<<dim3(1, 255, 255), T>>>(256, a, b, a + 256 * 256 * 256, c); });
    measure<float>("rows_by_columns", PRODUCT * PRODUCT,
                   [=] { product<<<dim3(PRODUCT / 32, PRODUCT / 8), threads>>>(PRODUCT, a, b, c); });
    measure<double>("tiled_product", PRODUCT * PRODUCT,
                    [=] { tiled_product<<<dim3(PRODUCT / 16, PRODUCT / 16), dim3(16, 16)>>>(PRODUCT, wide, wide + PRODUCT, longs); });
    measure<float>("pairs", 3 * BODIES, [=] { pairs<<<BODIES / 128, 128>>>(BODIES, at, (vec3 *)a, (vec3 *)c); });
    measure<double>("small_factors", 16 * SMALL, [=] { small_factors<<<SMALL / T, T>>>(SMALL, wide, longs); });
    measure<double>("gradient", PLANE * PLANE, [=] { gradient<<<dim3(PLANE / T, PLANE - 2), T>>>(PLANE, wide, longs); });
    measure<float>("tiled_stencil", SIDE * SIDE, [=] { star<<<dim3(SIDE / 32, SIDE / 8), threads>>>(SIDE, a, c); });
    measure<float>("red_cells", PLANE * PLANE, [=] { red_cells<<<dim3(PLANE / 2 / T, PLANE - 2), T>>>(PLANE, a, c); });
    measure<char>("words", N, [=] { words<<<N / T, T>>>(N, (char *)at, (char *)c); });
    measure<int>("search", N / 4, [=] { search<<<N / 4 / T, T>>>(N / 4, TABLE, table, a, ints); });
    measure<float>("centres", 3 * CENTRES, [=] { centres<<<132 * 8, T>>>(POINTS, a, at, c); });
    measure<unsigned>("divisors", N / 4, [=] { divisors<<<N / 4 / T, T>>>(N / 4, (unsigned *)at, (unsigned *)c); });
    return 0;
}
