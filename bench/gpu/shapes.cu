// The loops of shapes.c in CUDA, as a programmer who knows it writes them first: a thread for each element, a
// block or a warp for a row, tiles in shared memory for transposes and products.
//
//     name median-microseconds checksum
#include "shapes.h"
#include "measured.cuh"

__device__ int second() { return blockIdx.y * blockDim.y + threadIdx.y; }

static int parts(int n, int size) { return (n + size - 1) / size; }

template <class Type> __global__ void transposed(int n, int m, const Type *__restrict__ a, Type *__restrict__ c)
{
    __shared__ Type tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int by = 0; by < 32; by += 8)
        if (y + by < n && x < m)
            tile[threadIdx.y + by][threadIdx.x] = a[(size_t)(y + by) * m + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int by = 0; by < 32; by += 8)
        if (y + by < m && x < n)
            c[(size_t)(y + by) * n + x] = tile[threadIdx.x][threadIdx.y + by];
}

__global__ void swapped_axes(int nx, int ny, int nz, const float *__restrict__ a, float *__restrict__ c)
{
    __shared__ float tile[32][33];
    int x = blockIdx.z, z = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int by = 0; by < 32; by += 8)
        if (y + by < ny && z < nz)
            tile[threadIdx.y + by][threadIdx.x] = a[(x * ny + y + by) * nz + z];
    __syncthreads();
    y = blockIdx.y * 32 + threadIdx.x, z = blockIdx.x * 32 + threadIdx.y;
    for (int by = 0; by < 32; by += 8)
        if (z + by < nz && y < ny)
            c[((z + by) * nx + x) * ny + y] = tile[threadIdx.x][threadIdx.y + by];
}

/// 16 by 16 threads, a tile of each matrix.
template <class Type>
__global__ void product(int n, int m, int l, const Type *__restrict__ a, const Type *__restrict__ b, Type *__restrict__ c)
{
    __shared__ Type left[16][16], right[16][16];
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    Type sum = 0;
    for (int k = 0; k < l; k += 16) {
        left[threadIdx.y][threadIdx.x] = i < n && k + threadIdx.x < l ? a[i * l + k + threadIdx.x] : 0;
        right[threadIdx.y][threadIdx.x] = j < m && k + threadIdx.y < l ? b[(k + threadIdx.y) * m + j] : 0;
        __syncthreads();
        for (int d = 0; d < 16; d++)
            sum += left[threadIdx.y][d] * right[d][threadIdx.x];
        __syncthreads();
    }
    if (i < n && j < m)
        c[i * m + j] = sum;
}

__global__ void thin_product(int n, int m, int l, const float *__restrict__ a, const float *__restrict__ b,
                             float *__restrict__ c)
{
    int at = thread(), i = at / m, j = at % m;
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < l; k++)
        sum += a[i * l + k] * b[k * m + j];
    c[i * m + j] = sum;
}

__global__ void by_transposed(int n, int m, int l, const float *__restrict__ a, const float *__restrict__ b,
                              float *__restrict__ c)
{
    __shared__ float left[16][16], right[16][17];
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x, row = blockIdx.x * 16 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < l; k += 16) {
        left[threadIdx.y][threadIdx.x] = i < n && k + threadIdx.x < l ? a[i * l + k + threadIdx.x] : 0;
        right[threadIdx.y][threadIdx.x] = row < m && k + threadIdx.x < l ? b[row * l + k + threadIdx.x] : 0;
        __syncthreads();
        for (int d = 0; d < 16; d++)
            sum += left[threadIdx.y][d] * right[threadIdx.x][d];
        __syncthreads();
    }
    if (i < n && j < m)
        c[i * m + j] = sum;
}

/// Each block has some rows, and a thread each product of two columns.
__global__ void gram(int n, const float *__restrict__ a, float *__restrict__ c)
{
    __shared__ float rows[32][FEW];
    int i = threadIdx.x / FEW, j = threadIdx.x % FEW;
    float sum = 0;
    for (int k = blockIdx.x * 32; k < n; k += gridDim.x * 32) {
        for (int at = threadIdx.x; at < 32 * FEW; at += blockDim.x)
            rows[at / FEW][at % FEW] = k * FEW + at < n * FEW ? a[k * FEW + at] : 0;
        __syncthreads();
        for (int d = 0; d < 32; d++)
            sum += rows[d][i] * rows[d][j];
        __syncthreads();
    }
    atomicAdd(&c[threadIdx.x], sum);
}

__global__ void rows_times(int n, int m, const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y)
{
    float sum = 0;
    for (int j = threadIdx.x; j < m; j += blockDim.x)
        sum += a[blockIdx.x * m + j] * x[j];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum;
}

__global__ void columns_times(int n, int m, const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread();
    if (j >= m)
        return;
    float sum = 0;
    for (int i = blockIdx.y; i < n; i += gridDim.y)
        sum += a[i * m + j] * x[i];
    atomicAdd(&y[j], sum);
}

__global__ void wide_rows(int m, const float *__restrict__ a, float *__restrict__ c)
{
    float sum = 0, most = 0;
    for (int j = threadIdx.x; j < m; j += blockDim.x) {
        float value = a[(long)blockIdx.x * m + j];
        sum += value;
        most = fmaxf(most, value);
    }
    sum = sum_of_block(sum);
    most = most_of_block(most);
    if (threadIdx.x == 0)
        c[blockIdx.x] = sum / most;
}

/// A warp for each row.
__global__ void short_rows(int n, int m, const float *__restrict__ a, float *__restrict__ c)
{
    int i = thread() / WARP, lane = threadIdx.x % WARP;
    if (i >= n)
        return;
    float square = 0;
    for (int j = lane; j < m; j += WARP)
        square += a[i * m + j] * a[i * m + j];
    float by = rsqrtf(of_warp(square, Sum()));
    for (int j = lane; j < m; j += WARP)
        c[i * m + j] = a[i * m + j] * by;
}

__global__ void middle(int n, int m, int l, const float *__restrict__ a, float *__restrict__ c)
{
    int k = thread(), i = blockIdx.y;
    if (k >= l)
        return;
    float sum = 0;
    for (int j = 0; j < m; j++)
        sum += a[(i * m + j) * l + k];
    c[i * l + k] = sum / m;
}

__global__ void seven_points(const double *__restrict__ a, double *__restrict__ c)
{
    int x = thread(), y = second(), z = blockIdx.z + 1, at = (z * EDGE + y) * EDGE + x;
    if (x < 1 || y < 1 || x >= EDGE - 1 || y >= EDGE - 1)
        return;
    c[at] = 0.4 * a[at] + 0.1 * (a[at - EDGE * EDGE] + a[at + EDGE * EDGE] + a[at - EDGE] + a[at + EDGE] + a[at - 1] + a[at + 1]);
}

__global__ void five_by_five(int n, int m, const float *__restrict__ a, const float *__restrict__ weights,
                             float *__restrict__ c)
{
    int x = thread(), y = second();
    if (x < 2 || y < 2 || x >= m - 2 || y >= n - 2)
        return;
    float sum = 0;
#pragma unroll
    for (int dy = -2; dy <= 2; dy++)
#pragma unroll
        for (int dx = -2; dx <= 2; dx++)
            sum += weights[(dy + 2) * 5 + dx + 2] * a[(y + dy) * m + x + dx];
    c[y * m + x] = sum;
}

__global__ void pooled(int n, int m, const float *__restrict__ a, float *__restrict__ c)
{
    int x = thread(), y = second(), p = blockIdx.z, at = (p * n + 2 * y) * m + 2 * x;
    if (x >= m / 2 || y >= n / 2)
        return;
    c[(p * (n / 2) + y) * (m / 2) + x] = fmaxf(fmaxf(a[at], a[at + 1]), fmaxf(a[at + m], a[at + m + 1]));
}

__global__ void binned(int n, const int *__restrict__ at, unsigned *__restrict__ bins)
{
    __shared__ unsigned own[NODES];
    for (int bin = threadIdx.x; bin < NODES; bin += blockDim.x)
        own[bin] = 0;
    __syncthreads();
    for (int i = thread(); i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[at[i] % NODES], 1);
    __syncthreads();
    for (int bin = threadIdx.x; bin < NODES; bin += blockDim.x)
        atomicAdd(&bins[bin], own[bin]);
}

/// A warp for each row.
__global__ void uneven_rows(int n, const int *__restrict__ start, const int *__restrict__ at,
                            const float *__restrict__ values, const float *__restrict__ x, float *__restrict__ y)
{
    int row = thread() / WARP, lane = threadIdx.x % WARP;
    if (row >= n)
        return;
    float sum = 0;
    for (int k = start[row] + lane; k < start[row + 1]; k += WARP)
        sum += values[k] * x[at[k] & 1048575];
    sum = of_warp(sum, Sum());
    if (lane == 0)
        y[row] = sum;
}

__global__ void gathered(int n, const int *__restrict__ at, const float *__restrict__ a, const float *__restrict__ b,
                         float *__restrict__ c)
{
    int i = thread();
    if (i < n)
        c[i] = a[at[i] & 1048575] * b[i];
}

__global__ void planar(int n, const float *__restrict__ a, float *__restrict__ x, float *__restrict__ y, float *__restrict__ z)
{
    int i = thread();
    if (i >= n)
        return;
    x[i] = a[3 * i];
    y[i] = a[3 * i + 1];
    z[i] = a[3 * i + 2];
}

__global__ void apart(int n, int m, const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c)
{
    int j = thread(), i = second();
    if (i >= n || j >= m)
        return;
    float square = 0;
#pragma unroll
    for (int k = 0; k < 12; k++)
        square += (a[i * 12 + k] - b[j * 12 + k]) * (a[i * 12 + k] - b[j * 12 + k]);
    c[i * m + j] = sqrtf(square);
}

/// A warp for each row.
__global__ void least_in_rows(int n, int m, const float *__restrict__ a, int *__restrict__ c)
{
    int i = thread() / WARP, lane = threadIdx.x % WARP, at = m;
    if (i >= n)
        return;
    float least = 1e30f;
    for (int j = lane; j < m; j += WARP)
        if (a[i * m + j] < least) {
            least = a[i * m + j];
            at = j;
        }
    for (int by = WARP / 2; by > 0; by /= 2) {
        float other = __shfl_xor_sync(~0u, least, by);
        int place = __shfl_xor_sync(~0u, at, by);
        if (other < least || other == least && place < at) {
            least = other;
            at = place;
        }
    }
    if (lane == 0)
        c[i] = at;
}

__global__ void escaped(int n, int m, int most, int *__restrict__ c)
{
    int x = thread(), y = second();
    if (x >= m || y >= n)
        return;
    double re = -2.5 + 3.5 * x / m, im = -1.25 + 2.5 * y / n, u = 0, v = 0;
    int step = 0;
    while (step < most && u * u + v * v <= 4) {
        double next = u * u - v * v + re;
        v = 2 * u * v + im;
        u = next;
        step++;
    }
    c[y * m + x] = step;
}

__global__ void filtered(int n, int taps, const float *__restrict__ a, const float *__restrict__ weights,
                         float *__restrict__ c)
{
    int i = thread();
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < taps; k++)
        sum += weights[k] * a[i + k];
    c[i] = sum;
}

__global__ void resized(int n, int m, int n2, int m2, const float *__restrict__ a, float *__restrict__ c)
{
    int x = thread(), y = second();
    if (x >= m2 || y >= n2)
        return;
    float v = (float)y * (n - 1) / n2, u = (float)x * (m - 1) / m2;
    int j = (int)v, i = (int)u;
    v -= j;
    u -= i;
    c[y * m2 + x] = (1 - v) * ((1 - u) * a[j * m + i] + u * a[j * m + i + 1]) +
                    v * ((1 - u) * a[(j + 1) * m + i] + u * a[(j + 1) * m + i + 1]);
}

__global__ void normalised(int m, const float *__restrict__ a, const float *__restrict__ scale, float *__restrict__ c)
{
    const float *row = a + blockIdx.x * m;
    float mean = 0, square = 0;
    for (int j = threadIdx.x; j < m; j += blockDim.x)
        mean += row[j];
    mean = sum_of_block(mean) / m;
    for (int j = threadIdx.x; j < m; j += blockDim.x)
        square += (row[j] - mean) * (row[j] - mean);
    float by = rsqrtf(sum_of_block(square) / m + 1e-5f);
    for (int j = threadIdx.x; j < m; j += blockDim.x)
        c[blockIdx.x * m + j] = (row[j] - mean) * by * scale[j];
}

__global__ void summed_down(int n, int m, const double *__restrict__ a, double *__restrict__ c)
{
    int j = thread();
    if (j >= m)
        return;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[(long)i * m + j];
        c[(long)i * m + j] = sum;
    }
}

__global__ void complex_product(int n, const float2 *__restrict__ a, const float2 *__restrict__ b, float2 *__restrict__ c)
{
    __shared__ float2 left[16][16], right[16][16];
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    float2 sum = {0, 0}, zero = {0, 0};
    for (int k = 0; k < n; k += 16) {
        left[threadIdx.y][threadIdx.x] = i < n && k + threadIdx.x < n ? a[i * n + k + threadIdx.x] : zero;
        right[threadIdx.y][threadIdx.x] = j < n && k + threadIdx.y < n ? b[(k + threadIdx.y) * n + j] : zero;
        __syncthreads();
        for (int d = 0; d < 16; d++) {
            float2 u = left[threadIdx.y][d], v = right[d][threadIdx.x];
            sum.x += u.x * v.x - u.y * v.y;
            sum.y += u.x * v.y + u.y * v.x;
        }
        __syncthreads();
    }
    if (i < n && j < n)
        c[i * n + j] = sum;
}

__global__ void red_points(int n, int m, double omega, const double *__restrict__ f, double *__restrict__ u)
{
    int i = 1 + blockIdx.y, j = 1 + i % 2 + 2 * thread(), at = i * m + j;
    if (j >= m - 1)
        return;
    u[at] += omega * 0.25 * (u[at - m] + u[at + m] + u[at - 1] + u[at + 1] - f[at] - 4 * u[at]);
}

/// A thread for each row of each matrix.
__global__ void nine_by_nine(int n, const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y)
{
    int at = thread(), i = at / 9;
    if (i >= n)
        return;
    float sum = 0;
#pragma unroll
    for (int column = 0; column < 9; column++)
        sum += a[at * 9 + column] * x[i * 9 + column];
    y[at] = sum;
}

__global__ void matches(int n, const unsigned char *__restrict__ text, const unsigned char *__restrict__ word,
                        int *__restrict__ c)
{
    int count = 0;
    for (int i = thread(); i < n - MATCHED; i += gridDim.x * blockDim.x) {
        int k = 0;
        while (k < MATCHED && (text[i + k] & 3) == (word[k] & 3))
            k++;
        count += k == MATCHED;
    }
    count = sum_of_block(count);
    if (threadIdx.x == 0)
        atomicAdd(c, count);
}

__global__ void looked_up(int n, const double *__restrict__ nodes, const double *__restrict__ values,
                          const double *__restrict__ x, double *__restrict__ c)
{
    int i = thread();
    if (i >= n)
        return;
    double place = x[i];
    int low = 0, high = NODES - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (nodes[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    double part = (place - nodes[low]) / (nodes[high] - nodes[low]);
    c[i] = values[low] + part * (values[high] - values[low]);
}

__global__ void closest(int n, const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ z,
                        const float *__restrict__ u, const float *__restrict__ v, const float *__restrict__ w,
                        float *__restrict__ c)
{
    __shared__ float3 tile[128];
    int i = thread();
    float px = i < n ? x[i] : 0, py = i < n ? y[i] : 0, pz = i < n ? z[i] : 0, least = 1e30f;
    for (int j = 0; j < n; j += 128) {
        int from = j + threadIdx.x;
        if (from < n)
            tile[threadIdx.x] = make_float3(u[from], v[from], w[from]);
        __syncthreads();
        for (int k = 0; k < min(128, n - j); k++) {
            float dx = px - tile[k].x, dy = py - tile[k].y, dz = pz - tile[k].z;
            least = fminf(least, dx * dx + dy * dy + dz * dz);
        }
        __syncthreads();
    }
    if (i < n)
        c[i] = sqrtf(least);
}

__global__ void contracted(int n, int m, int l, const float *__restrict__ a, const float *__restrict__ b,
                           float *__restrict__ c)
{
    int at = thread(), j = at % m, i = at / m % m, q = at / m / m % n, p = at / m / m / n;
    if (p >= n)
        return;
    float sum = 0;
    for (int k = 0; k < l; k++)
        sum += a[(p * m + i) * l + k] * b[(q * l + k) * m + j];
    c[at] = sum;
}

int main()
{
    std::vector<float> numbers(N);
    std::vector<double> doubles(N / 2), table(2 * NODES);
    std::vector<int> places(N), starts(300002);
    fill(numbers.data(), doubles.data(), places.data());
    fill_rows(300001, starts.data());
    for (int i = 0; i < NODES; i++) {
        table[i] = (double)i * i / (NODES - 1) / (NODES - 1);
        table[NODES + i] = std::sqrt((double)i);
    }
    float *a = copy(numbers), *b = a + N / 2;
    double *wide = copy(doubles), *nodes = copy(table);
    int *at = copy(places), *start = copy(starts);
    check(cudaMalloc(&c, 4L * N));
    double *out = (double *)c;
    int *ints = (int *)c;
    unsigned char *bytes = (unsigned char *)a;
    const int T = THREADS;
    const dim3 tile(32, 8), square(16, 16);
    auto planes = [=](int x, int y, int z = 1) { return dim3(parts(x, 32), parts(y, 8), z); };
    measure<double>("transposed_doubles", 3001 * 5003,
                    [=] { transposed<<<dim3(parts(5003, 32), parts(3001, 32)), tile>>>(3001, 5003, wide, out); });
    measure<unsigned char>("transposed_bytes", 6001 * 5003, [=] {
        transposed<<<dim3(parts(5003, 32), parts(6001, 32)), tile>>>(6001, 5003, bytes, (unsigned char *)c);
    });
    measure<float>("swapped_axes", 201 * 301 * 251,
                   [=] { swapped_axes<<<dim3(parts(251, 32), parts(301, 32), 201), tile>>>(201, 301, 251, a, c); });
    measure<float>("product", 1000 * 1000,
                   [=] { product<<<dim3(parts(1000, 16), parts(1000, 16)), square>>>(1000, 1000, 1000, a, b, c); });
    measure<double>("product_of_doubles", 1111 * 777, [=] {
        product<<<dim3(parts(777, 16), parts(1111, 16)), square>>>(1111, 777, 999, wide, wide + N / 4, out);
    });
    measure<float>("thin_product", 200003 * 40,
                   [=] { thin_product<<<parts(200003 * 40, T), T>>>(200003, 40, 48, a, b, c); });
    measure<float>("by_transposed", 1500 * 1300,
                   [=] { by_transposed<<<dim3(parts(1300, 16), parts(1500, 16)), square>>>(1500, 1300, 700, a, b, c); });
    measure<float>("gram", FEW * FEW, [=] {
        cudaMemsetAsync(c, 0, 4 * FEW * FEW);
        gram<<<264, FEW * FEW>>>(100003, a, c);
    });
    measure<float>("rows_times", 10007, [=] { rows_times<<<10007, T>>>(10007, 1501, a, b, c); });
    for (const char *name : {"columns_times", "columns_by_lanes"})
        measure<float>(name, 1501, [=] {
            cudaMemsetAsync(c, 0, 4 * 1501);
            columns_times<<<dim3(parts(1501, T), 128), T>>>(10007, 1501, a, b, c);
        });
    measure<float>("wide_rows", 48, [=] { wide_rows<<<48, 1024>>>(500003, a, c); });
    measure<float>("short_rows", 700001 * 19, [=] { short_rows<<<parts(700001, T / WARP), T>>>(700001, 19, a, c); });
    measure<float>("middle", 300 * 250, [=] { middle<<<dim3(1, 300), T>>>(300, 400, 250, a, c); });
    measure<double>("seven_points", EDGE * EDGE * EDGE, [=] { seven_points<<<planes(EDGE, EDGE, EDGE - 2), tile>>>(wide, out); });
    measure<float>("five_by_five", 3001 * 2003, [=] { five_by_five<<<planes(2003, 3001), tile>>>(3001, 2003, a, b, c); });
    measure<float>("pooled", 32 * 48 * 55 * 56, [=] { pooled<<<planes(56, 55, 32 * 48), tile>>>(111, 113, a, c); });
    measure<unsigned>("binned", NODES, [=] { binned<<<528, T>>>(20000003, at, (unsigned *)c); });
    measure<float>("uneven_rows", 300001, [=] { uneven_rows<<<parts(300001, T / WARP), T>>>(300001, start, at, a, b, c); });
    measure<float>("gathered", 30000001, [=] { gathered<<<parts(30000001, T), T>>>(30000001, at, a, a, c); });
    measure<float>("planar", 24000000, [=] { planar<<<parts(8000001, T), T>>>(8000001, a, c, c + 8000001, c + 16000002); });
    measure<float>("apart", 3001 * 2999, [=] { apart<<<planes(2999, 3001), tile>>>(3001, 2999, a, b, c); });
    measure<int>("least_in_rows", 20011, [=] { least_in_rows<<<parts(20011, T / WARP), T>>>(20011, 333, a, ints); });
    measure<int>("escaped", 1080 * 1920, [=] { escaped<<<planes(1920, 1080), tile>>>(1080, 1920, 200, ints); });
    measure<float>("filtered", 10000001, [=] { filtered<<<parts(10000001, T), T>>>(10000001, 61, a, b, c); });
    measure<float>("resized", 3000 * 4000, [=] { resized<<<planes(4000, 3000), tile>>>(1501, 1999, 3000, 4000, a, c); });
    measure<float>("normalised", 9001 * 769, [=] { normalised<<<9001, T>>>(769, a, b, c); });
    measure<double>("summed_down", 500 * 30011, [=] { summed_down<<<parts(30011, T), T>>>(500, 30011, wide, out); });
    measure<float>("complex_product", 2 * 600 * 600, [=] {
        complex_product<<<dim3(parts(600, 16), parts(600, 16)), square>>>(600, (float2 *)a, (float2 *)b, (float2 *)c);
    });
    measure<double>("red_points", 4001 * 4003,
                    [=] { red_points<<<dim3(parts(2001, T), 3999), T>>>(4001, 4003, 0.9, wide, out); });
    measure<float>("nine_by_nine", 200001 * 9, [=] { nine_by_nine<<<parts(200001 * 9, T), T>>>(200001, a, b, c); });
    measure<int>("matches", 1, [=] {
        cudaMemsetAsync(c, 0, 4);
        matches<<<1056, T>>>(60000001, bytes, bytes + 1000, ints);
    });
    measure<double>("looked_up", 8000001, [=] { looked_up<<<parts(8000001, T), T>>>(8000001, nodes, nodes + NODES, wide, out); });
    measure<float>("closest", 20011, [=] {
        closest<<<parts(20011, 128), 128>>>(20011, a, a + 20011, a + 40022, b, b + 20011, b + 40022, c);
    });
    measure<float>("contracted", 13 * 13 * 37 * 37,
                   [=] { contracted<<<parts(13 * 13 * 37 * 37, T), T>>>(13, 37, 29, a, b, c); });
    return 0;
}
