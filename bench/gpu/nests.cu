// The loops of nests.c in CUDA, as a programmer who knows it writes them first: a thread for each element, a block or a warp for a
// row, counts in shared memory.
//
//     name median-microseconds checksum
#include "nests.h"
#include "measured.cuh"

__global__ void permute(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int k = thread(), j = blockIdx.y, i = blockIdx.z;
    if (k < n)
        y[(k * n + i) * n + j] = x[(i * n + j) * n + k];
}

__global__ void swap_planes(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int k = thread(), j = blockIdx.y, i = blockIdx.z;
    if (k < n)
        y[(k * n + j) * n + i] = x[(i * n + j) * n + k];
}

__global__ void transpose_double(int n, const double *__restrict__ x, double *__restrict__ y)
{
    int j = thread(), i = blockIdx.y;
    y[(long)j * n + i] = x[(long)i * n + j];
}

__global__ void row_softmax(int n, const float *__restrict__ x, float *__restrict__ y)
{
    const float *row = x + (long)blockIdx.x * n;
    float most = -INFINITY, sum = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        most = fmaxf(most, row[j]);
    most = most_of_block(most);
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        sum += expf(row[j] - most);
    sum = sum_of_block(sum);
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        y[(long)blockIdx.x * n + j] = expf(row[j] - most) / sum;
}

__global__ void short_softmax(const float *__restrict__ x, float *__restrict__ y)
{
    int at = thread();
    float most = of_warp(x[at], Most()), value = expf(x[at] - most);
    y[at] = value / of_warp(value, Sum());
}

__global__ void row_sums(int n, const float *__restrict__ x, float *__restrict__ y)
{
    float sum = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        sum += x[(long)blockIdx.x * n + j];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum;
}

__global__ void short_row_sums(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int row = thread() / WARP, lane = threadIdx.x % WARP;
    float sum = 0;
    for (int j = lane; j < n; j += WARP)
        sum += x[row * n + j];
    sum = of_warp(sum, Sum());
    if (lane == 0)
        y[row] = sum;
}

__global__ void row_extremes(int n, const float *__restrict__ x, float *__restrict__ y)
{
    float sum = 0, most = -INFINITY;
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        float value = x[(long)blockIdx.x * n + j];
        sum += value;
        most = fmaxf(most, value);
    }
    sum = sum_of_block(sum);
    most = most_of_block(most);
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum * most;
}

__global__ void row_argmax(int rows, int n, const float *__restrict__ x, int *__restrict__ y)
{
    int i = thread(), at = 0;
    if (i >= rows)
        return;
    float most = x[i * n];
    for (int j = 1; j < n; j++)
        if (x[i * n + j] > most) {
            most = x[i * n + j];
            at = j;
        }
    y[i] = at;
}

__global__ void column_sums(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread();
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i * n + j];
    y[j] = sum;
}

__global__ void matrix_vector(int n, const float *__restrict__ m, const float *__restrict__ x, float *__restrict__ y)
{
    float sum = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        sum += m[(long)blockIdx.x * n + j] * x[j];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum;
}

__global__ void row_prefix(int rows, int n, const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread();
    if (i >= rows)
        return;
    float sum = 0;
    for (int j = 0; j < n; j++) {
        sum += x[i * n + j];
        y[i * n + j] = sum;
    }
}

__global__ void convolution(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread(), i = blockIdx.y;
    if (i < 2 || j < 2 || i >= n - 2 || j >= n - 2)
        return;
    float sum = 0;
    for (int k = -2; k <= 2; k++)
        for (int l = -2; l <= 2; l++)
            sum += blur[k + 2][l + 2] * x[(i + k) * n + j + l];
    y[i * n + j] = sum / 256;
}

__global__ void nine_point(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread(), i = blockIdx.y;
    if (i > 0 && j > 0 && i < n - 1 && j < n - 1)
        y[i * n + j] = 0.5f * x[i * n + j] +
                       0.1f * (x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1] + x[i * n + j + 1]) +
                       0.025f * (x[(i - 1) * n + j - 1] + x[(i - 1) * n + j + 1] + x[(i + 1) * n + j - 1] + x[(i + 1) * n + j + 1]);
}

__global__ void cube_27(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int k = thread(), j = blockIdx.y, i = blockIdx.z;
    if (i < 1 || j < 1 || k < 1 || i >= n - 1 || j >= n - 1 || k >= n - 1)
        return;
    float sum = 0;
    for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++)
            for (int dk = -1; dk <= 1; dk++)
                sum += x[((i + di) * n + j + dj) * n + k + dk];
    y[(i * n + j) * n + k] = sum / 27;
}

__global__ void varying_stencil(int n, const float *__restrict__ w, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread(), i = blockIdx.y, at = i * n + j;
    if (i > 0 && j > 0 && i < n - 1 && j < n - 1)
        y[at] = x[at] + w[at] * (x[at - 1] + x[at + 1] + x[at - n] + x[at + n] - 4 * x[at]);
}

__global__ void star(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread(), i = blockIdx.y;
    if (i > 0 && j > 0 && i < n - 1 && j < n - 1)
        y[i * n + j] = 0.2f * (x[i * n + j] + x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1] + x[i * n + j + 1]);
}

__global__ void jacobi_double(int n, const double *__restrict__ x, double *__restrict__ y)
{
    int j = thread(), i = blockIdx.y;
    if (i > 0 && j > 0 && i < n - 1 && j < n - 1)
        y[i * n + j] = 0.25 * (x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1] + x[i * n + j + 1]);
}

__global__ void residual(int n, const float *__restrict__ x, float *__restrict__ y, unsigned *most)
{
    int j = thread(), i = blockIdx.y;
    float change = 0;
    if (i > 0 && j > 0 && i < n - 1 && j < n - 1) {
        float next = 0.25f * (x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1] + x[i * n + j + 1]);
        change = fabsf(next - x[i * n + j]);
        y[i * n + j] = next;
    }
    change = most_of_block(change);
    if (threadIdx.x == 0)
        atomicMax(most, __float_as_uint(change));
}

__global__ void lattice(int n, const float *__restrict__ f, float *__restrict__ g)
{
    int j = thread(), i = blockIdx.y, cells = n * n;
    if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1)
        return;
    float in[9], density = 0, u = 0, v = 0;
#pragma unroll
    for (int q = 0; q < 9; q++) {
        in[q] = f[q * cells + (i - step_y[q]) * n + j - step_x[q]];
        density += in[q];
        u += step_x[q] * in[q];
        v += step_y[q] * in[q];
    }
    u /= density;
    v /= density;
    float square = 1.5f * (u * u + v * v);
#pragma unroll
    for (int q = 0; q < 9; q++) {
        float along = 3 * (step_x[q] * u + step_y[q] * v);
        float rest = part[q] * density * (1 + along + 0.5f * along * along - square);
        g[q * cells + i * n + j] = in[q] + 0.6f * (rest - in[q]);
    }
}

__global__ void upwind(int n, const float *__restrict__ u, const float *__restrict__ v, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread(), i = blockIdx.y, at = i * n + j;
    if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1)
        return;
    float a = u[at] - 0.5f, b = v[at] - 0.5f;
    float dx = a > 0 ? x[at] - x[at - 1] : x[at + 1] - x[at];
    float dy = b > 0 ? x[at] - x[at - n] : x[at + n] - x[at];
    y[at] = x[at] - 0.1f * (a * dx + b * dy);
}

__global__ void fields(int n, const float *__restrict__ hx, const float *__restrict__ hy, float *__restrict__ ez)
{
    int j = thread(), i = blockIdx.y;
    if (i > 0 && j > 0)
        ez[i * n + j] += 0.5f * (hy[i * n + j] - hy[i * n + j - 1] - hx[i * n + j] + hx[(i - 1) * n + j]);
}

__global__ void nearest_centre(int n, const float *__restrict__ x, const float *__restrict__ centre, int *__restrict__ to)
{
    int i = thread(), at = 0;
    float best = INFINITY;
    for (int k = 0; k < CENTRES; k++) {
        float distance = 0;
        for (int d = 0; d < 3; d++) {
            float by = x[i * 3 + d] - centre[k * 3 + d];
            distance += by * by;
        }
        if (distance < best) {
            best = distance;
            at = k;
        }
    }
    to[i] = at;
}

__global__ void nearest_point(int n, const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ least)
{
    int i = thread();
    float best = INFINITY;
    for (int j = 0; j < n; j++) {
        float dx = x[j] - x[i], dy = y[j] - y[i], distance = dx * dx + dy * dy;
        if (j != i && distance < best)
            best = distance;
    }
    least[i] = sqrtf(best);
}

__global__ void move(int n, const float *__restrict__ force, particle *__restrict__ p)
{
    int i = thread();
    if (i >= n)
        return;
    p[i].vx += 0.01f * force[i];
    p[i].vy -= 0.01f * force[i];
    p[i].vz += 0.02f * force[i];
    p[i].x += 0.1f * p[i].vx;
    p[i].y += 0.1f * p[i].vy;
    p[i].z += 0.1f * p[i].vz;
}

__global__ void multiply(int n, const number *__restrict__ x, const number *__restrict__ y, number *__restrict__ z)
{
    int i = thread();
    if (i >= n)
        return;
    z[i].re = x[i].re * y[i].re - x[i].im * y[i].im;
    z[i].im = x[i].re * y[i].im + x[i].im * y[i].re;
}

__global__ void byte_histogram(int n, const unsigned char *__restrict__ x, int *__restrict__ count)
{
    __shared__ int own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = thread(); i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[x[i]], 1);
    __syncthreads();
    atomicAdd(&count[threadIdx.x], own[threadIdx.x]);
}

__global__ void plane_histogram(int n, const float *__restrict__ x, const float *__restrict__ y, int *__restrict__ count)
{
    __shared__ int own[BINS * BINS];
    for (int k = threadIdx.x; k < BINS * BINS; k += blockDim.x)
        own[k] = 0;
    __syncthreads();
    for (int i = thread(); i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[(int)(y[i] * BINS) * BINS + (int)(x[i] * BINS)], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < BINS * BINS; k += blockDim.x)
        atomicAdd(&count[k], own[k]);
}

__global__ void weighted_histogram(int n, int bins, const int *__restrict__ at, const float *__restrict__ w, float *__restrict__ sum)
{
    int i = thread();
    if (i < n)
        atomicAdd(&sum[at[i] % bins], w[i]);
}

__global__ void scatter(int n, const int *__restrict__ to, const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread();
    if (i < n)
        y[to[i]] = x[i];
}

__global__ void sparse_rows(int n, const int *__restrict__ start, const int *__restrict__ column, const float *__restrict__ value,
                            const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread();
    float sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
        sum += value[k] * x[column[k]];
    y[i] = sum;
}

__global__ void sparse_lanes(int n, const int *__restrict__ start, const int *__restrict__ column, const float *__restrict__ value,
                             const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread() / WARP, lane = threadIdx.x % WARP;
    float sum = 0;
    for (int k = start[i] + lane; k < start[i + 1]; k += WARP)
        sum += value[k] * x[column[k]];
    sum = of_warp(sum, Sum());
    if (lane == 0)
        y[i] = sum;
}

__global__ void small_products(int n, const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ z)
{
    int m = thread();
    for (int i = 0; i < SMALL; i++)
        for (int j = 0; j < SMALL; j++) {
            float sum = 0;
            for (int k = 0; k < SMALL; k++)
                sum += x[(m * SMALL + i) * SMALL + k] * y[(m * SMALL + k) * SMALL + j];
            z[(m * SMALL + i) * SMALL + j] = sum;
        }
}

__global__ void tile_products(int n, const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ z)
{
    int at = thread(), m = at / (OF_TILE * OF_TILE), i = at / OF_TILE % OF_TILE, j = at % OF_TILE;
    float sum = 0;
    for (int k = 0; k < OF_TILE; k++)
        sum += x[(m * OF_TILE + i) * OF_TILE + k] * y[(m * OF_TILE + k) * OF_TILE + j];
    z[at] = sum;
}

__global__ void product(int n, const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ z)
{
    int j = thread(), i = blockIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[i * n + k] * y[k * n + j];
    z[i * n + j] = sum;
}

__global__ void polynomial(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread();
    float value = 0;
    for (int k = 7; k >= 0; k--)
        value = value * x[i] + coefficient[k];
    y[i] = value;
}

__global__ void bit_counts(int n, const unsigned *__restrict__ x, int *__restrict__ y)
{
    int i = thread();
    if (i < n)
        y[i] = __popc(x[i]);
}

__global__ void hashes(int n, const unsigned *__restrict__ x, unsigned *__restrict__ y)
{
    int i = thread();
    unsigned h = x[i];
    for (int round = 0; round < 4; round++) {
        h ^= h >> 16;
        h *= 0x85ebca6bu;
        h ^= h >> 13;
        h *= 0xc2b2ae35u;
        h ^= h >> 16;
    }
    y[i] = h;
}

__global__ void outer_product(int n, const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ z)
{
    int j = thread(), i = blockIdx.y;
    z[i * n + j] += x[i] * y[j];
}

__global__ void interpolate(int n, const float *__restrict__ table, const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread();
    float at = x[i] * (ENTRIES - 1);
    int left = (int)at;
    float beyond = at - left;
    y[i] = table[left] * (1 - beyond) + table[left + 1] * beyond;
}

__global__ void capitals(int n, const char *__restrict__ x, char *__restrict__ y)
{
    int i = thread();
    if (i < n)
        y[i] = x[i] >= 'a' && x[i] <= 'z' ? x[i] - 'a' + 'A' : x[i];
}

__global__ void mix(int n, const short *__restrict__ x, const short *__restrict__ y, short *__restrict__ z)
{
    int i = thread();
    if (i >= n)
        return;
    int sum = x[i] + y[i];
    z[i] = sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum;
}

__global__ void grey(int n, const colour *__restrict__ x, unsigned char *__restrict__ y)
{
    int i = thread();
    if (i < n)
        y[i] = (77 * x[i].r + 150 * x[i].g + 29 * x[i].b) >> 8;
}

__global__ void axpy_double(int n, double factor, const double *__restrict__ x, double *__restrict__ y)
{
    int i = thread();
    if (i < n)
        y[i] += factor * x[i];
}

__global__ void paths(int n, int k, float *__restrict__ d)
{
    int j = thread(), i = blockIdx.y;
    d[i * n + j] = fminf(d[i * n + j], d[i * n + k] + d[k * n + j]);
}

__global__ void triangle(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int i = blockIdx.x;
    for (int j = threadIdx.x; j <= i; j += blockDim.x)
        y[i * n + j] = 0.5f * x[i * n + j];
}

__global__ void logistic(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread();
    float value = x[i];
    for (int step = 0; step < STEPS; step++)
        value = 3.5f * value * (1 - value);
    y[i] = value;
}

__global__ void scale(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread();
    if (i < n)
        y[i] = x[i] > 0.5f ? 2 * x[i] : x[i] * x[i];
}

int main()
{
    std::vector<float> numbers(N), others(N);
    std::vector<int> indices(N), places(N), starts(NODES + 1);
    std::vector<double> doubles(N / 2);
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        numbers[i] = (state >> 8) * 0x1p-24f;
        others[i] = 1.0f - numbers[i];
        indices[i] = (state >> 4) % NODES;
        places[i] = (int)((unsigned)i * 40503u % N);
        doubles[i / 2] = numbers[i];
    }
    for (int i = 0; i < NODES; i++)
        starts[i + 1] = starts[i] + 8 + indices[i] % (MOST_PER_ROW - 7);
    float *a = copy(numbers), *b = copy(others);
    int *at = copy(indices), *to = copy(places), *start = copy(starts);
    double *wide = copy(doubles);
    unsigned *most;
    check(cudaMalloc(&c, 4L * N));
    check(cudaMalloc(&most, 4));
    int *ints = (int *)c;
    double *longs = (double *)c;
    const int T = THREADS, vector = N / T, edge = (EDGE + 127) / 128, waves = 132 * 8;
    dim3 plane(SIDE / T, SIDE), half(PLANE / T, PLANE), cube(edge, EDGE, EDGE), fluid(2048 / T, 2048);
    measure<float>("permute", EDGE * EDGE * EDGE, [=] { permute<<<cube, 128>>>(EDGE, a, c); });
    measure<float>("swap_planes", EDGE * EDGE * EDGE, [=] { swap_planes<<<cube, 128>>>(EDGE, a, c); });
    measure<double>("transpose_double", PLANE * PLANE, [=] { transpose_double<<<half, T>>>(PLANE, wide, longs); });
    measure<float>("row_softmax", LONG_ROWS * LONG, [=] { row_softmax<<<LONG_ROWS, T>>>(LONG, a, c); });
    measure<float>("short_softmax", ROWS * SHORT, [=] { short_softmax<<<ROWS / 8, T>>>(a, c); });
    measure<float>("row_sums", LONG_ROWS, [=] { row_sums<<<LONG_ROWS, T>>>(LONG, a, c); });
    measure<float>("short_row_sums", ROWS, [=] { short_row_sums<<<ROWS / 8, T>>>(SHORT, a, c); });
    measure<float>("row_extremes", LONG_ROWS, [=] { row_extremes<<<LONG_ROWS, 128>>>(LONG, a, c); });
    measure<int>("row_argmax", ROWS, [=] { row_argmax<<<ROWS / T, T>>>(ROWS, SHORT, a, ints); });
    measure<float>("column_sums", SIDE, [=] { column_sums<<<SIDE / T, T>>>(SIDE, a, c); });
    measure<float>("matrix_vector", SIDE, [=] { matrix_vector<<<SIDE, T>>>(SIDE, a, b, c); });
    measure<float>("row_prefix", ROWS * SHORT, [=] { row_prefix<<<ROWS / T, T>>>(ROWS, SHORT, a, c); });
    measure<float>("convolution", SIDE * SIDE, [=] { convolution<<<plane, T>>>(SIDE, a, c); });
    measure<float>("nine_point", SIDE * SIDE, [=] { nine_point<<<plane, T>>>(SIDE, a, c); });
    measure<float>("cube_27", EDGE * EDGE * EDGE, [=] { cube_27<<<cube, 128>>>(EDGE, a, c); });
    measure<float>("varying_stencil", SIDE * SIDE, [=] { varying_stencil<<<plane, T>>>(SIDE, b, a, c); });
    measure<double>("jacobi_double", PLANE * PLANE, [=] { jacobi_double<<<half, T>>>(PLANE, wide, longs); });
    measure<float>("residual", SIDE * SIDE, [=] { residual<<<plane, T>>>(SIDE, a, c, most); });
    measure<float>("stencil_kernels", SIDE * SIDE, [=] { star<<<plane, T>>>(SIDE, a, c); });
    measure<float>("lattice", 9 * 2048 * 2048, [=] { lattice<<<fluid, T>>>(2048, a, c); });
    measure<float>("upwind", PLANE * PLANE, [=] { upwind<<<half, T>>>(PLANE, a, b, a + PLANE * PLANE, c); });
    measure<float>("fields", PLANE * PLANE, [=] { fields<<<half, T>>>(PLANE, a, b, c); });
    measure<int>("nearest_centre", POINTS, [=] { nearest_centre<<<POINTS / T, T>>>(POINTS, a, b, ints); });
    measure<float>("nearest_point", TARGETS, [=] { nearest_point<<<TARGETS / T, T>>>(TARGETS, a, b + 77, c); });
    measure<float>("move", 6 * (1 << 23), [=] { move<<<(1 << 23) / T, T>>>(1 << 23, a, (particle *)c); });
    measure<float>("multiply", N, [=] { multiply<<<vector / 2, T>>>(N / 2, (number *)a, (number *)b, (number *)c); });
    measure<int>("byte_histogram", 256, [=] { byte_histogram<<<waves, T>>>(N, (unsigned char *)at, ints); });
    measure<int>("plane_histogram", BINS * BINS, [=] { plane_histogram<<<waves, T>>>(N - 1, a, a + 1, ints); });
    measure<float>("weighted_histogram", CELLS, [=] { weighted_histogram<<<vector, T>>>(N, CELLS, at, a, c); });
    measure<float>("scatter", N, [=] { scatter<<<vector, T>>>(N, to, a, c); });
    measure<float>("sparse_rows", NODES, [=] { sparse_rows<<<NODES / T, T>>>(NODES, start, at, a, b, c); });
    measure<float>("sparse_lanes", NODES, [=] { sparse_lanes<<<NODES / 8, T>>>(NODES, start, at, a, b, c); });
    measure<float>("small_products", MATRICES * 9, [=] { small_products<<<MATRICES / T, T>>>(MATRICES, a, b, c); });
    measure<float>("tile_products", TILES * 64, [=] { tile_products<<<TILES * 64 / T, T>>>(TILES, a, b, c); });
    measure<float>("product_kernels", 2048 * 2048, [=] { product<<<fluid, T>>>(2048, a, b, c); });
    measure<float>("polynomial", N, [=] { polynomial<<<vector, T>>>(N, a, c); });
    measure<int>("bit_counts", N, [=] { bit_counts<<<vector, T>>>(N, (unsigned *)at, ints); });
    measure<unsigned>("hashes", N, [=] { hashes<<<vector, T>>>(N, (unsigned *)at, (unsigned *)c); });
    measure<float>("outer_product", SIDE * SIDE, [=] { outer_product<<<plane, T>>>(SIDE, a, b, c); });
    measure<float>("interpolate", N, [=] { interpolate<<<vector, T>>>(N, b, a, c); });
    measure<char>("capitals", N, [=] { capitals<<<vector, T>>>(N, (char *)at, (char *)c); });
    measure<short>("mix", N, [=] { mix<<<vector, T>>>(N, (short *)at, (short *)to, (short *)c); });
    measure<unsigned char>("grey", N, [=] { grey<<<vector, T>>>(N, (colour *)at, (unsigned char *)c); });
    measure<double>("axpy_double", N / 2, [=] { axpy_double<<<vector / 2, T>>>(N / 2, 0.5, wide, longs); });
    measure<float>("paths", PLANE * PLANE, [=] { paths<<<half, T>>>(PLANE, 17, c); });
    measure<float>("triangle", SIDE * SIDE, [=] { triangle<<<SIDE, T>>>(SIDE, a, c); });
    measure<float>("logistic", N, [=] { logistic<<<vector, T>>>(N, a, c); });
    measure<float>("scale_kernels", N, [=] { scale<<<vector, T>>>(N, a, c); });
    return 0;
}
