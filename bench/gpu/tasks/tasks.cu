// What the programs of this folder do, in CUDA with streams and events written by hand: one program, the first
// argument says which, the others are those of the program.
#include "clock.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

template <typename T> static T *on_device(size_t count)
{
    T *memory;
    check(cudaMalloc(&memory, count * sizeof(T)));
    return memory;
}

static std::vector<cudaStream_t> streams(int count)
{
    std::vector<cudaStream_t> made(count);
    for (cudaStream_t &stream : made)
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return made;
}

static std::vector<cudaEvent_t> events(int count)
{
    std::vector<cudaEvent_t> made(count);
    for (cudaEvent_t &event : made)
        check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return made;
}

__global__ void transform(const float *x, float *y, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float value = x[i];
    for (int step = 0; step < steps; step++)
        value = value * 0.999f + 1;
    y[i] = value;
}

static void chain(int tasks, int steps)
{
    float *a = on_device<float>(32);
    check(cudaMemset(a, 0, 32 * sizeof *a));
    cudaStream_t stream = streams(1)[0];
    for (int round = 0; round < 5; round++) {
        double start = seconds();
        for (int task = 0; task < tasks; task++)
            transform<<<1, 32, 0, stream>>>(a, a, 32, steps);
        double submitted = seconds() - start;
        check(cudaStreamSynchronize(stream));
        printf("%.3f %.3f\n", 1e6 * submitted / tasks, 1e6 * (seconds() - start) / tasks);
    }
}

static void independent(int tasks, int teams, int steps)
{
    int n = teams * 128;
    float *a = on_device<float>(size_t(tasks) * n);
    check(cudaMemset(a, 0, size_t(tasks) * n * sizeof *a));
    std::vector<cudaStream_t> all = streams(tasks);
    auto round_of = [&](int count) {
        double start = seconds();
        for (int task = 0; task < count; task++)
            transform<<<teams, 128, 0, all[task]>>>(a + size_t(task) * n, a + size_t(task) * n, n, steps);
        check(cudaDeviceSynchronize());
        return 1e6 * (seconds() - start);
    };
    for (int round = 0; round < 5; round++) {
        double one = round_of(1), many = round_of(tasks);
        printf("%.1f %.1f\n", one, many);
    }
}

static void pipeline(int steps)
{
    constexpr int blocks = 32, size = 1 << 20, lanes = 4;
    float *in, *out;
    check(cudaMallocHost(&in, sizeof(float) * blocks * size));
    check(cudaMallocHost(&out, sizeof(float) * blocks * size));
    memset(in, 0, sizeof(float) * blocks * size);
    float *x = on_device<float>(size_t(blocks) * size), *y = on_device<float>(size_t(blocks) * size);
    std::vector<cudaStream_t> all = streams(lanes);
    auto run = [&](bool copies, bool kernels) {
        double start = seconds();
        for (int block = 0; block < blocks; block++) {
            cudaStream_t stream = all[block % lanes];
            size_t at = size_t(block) * size, bytes = sizeof(float) * size;
            if (copies)
                check(cudaMemcpyAsync(x + at, in + at, bytes, cudaMemcpyHostToDevice, stream));
            if (kernels)
                transform<<<size / 256, 256, 0, stream>>>(x + at, y + at, size, steps);
            if (copies)
                check(cudaMemcpyAsync(out + at, y + at, bytes, cudaMemcpyDeviceToHost, stream));
        }
        check(cudaDeviceSynchronize());
        return 1e6 * (seconds() - start);
    };
    for (int round = 0; round < 5; round++) {
        double copies = run(true, false), kernels = run(false, true), both = run(true, true);
        printf("%.1f %.1f %.1f\n", copies, kernels, both);
    }
}

constexpr int SIZE = 512, BLOCK = 128, THIN = 8, PANEL = 16, ROWS = 32, OWN = 8;

__device__ void load(const float *from, float *to)
{
    for (int n = 0; n < OWN; n += 4)
        *reinterpret_cast<float4 *>(to + n) = *reinterpret_cast<const float4 *>(from + n);
}

template <int COLUMNS> __device__ void take_off(const float *x, const float *y, float *row)
{
    float sums[OWN] = {};
#pragma unroll
    for (int k = 0; k < COLUMNS; k++) {
        float own = x[k * SIZE];
        alignas(16) float others[OWN];
        load(y + k * SIZE, others);
        for (int n = 0; n < OWN; n++)
            sums[n] += own * others[n];
    }
    for (int n = 0; n < OWN; n++)
        row[n * SIZE] -= sums[n];
}

__global__ void factor(float *d)
{
    __shared__ float first[THIN][THIN];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    for (int panel = 0; panel < BLOCK; panel += THIN) {
        if (threadIdx.x < THIN * THIN) {
            int c = threadIdx.x / THIN, r = threadIdx.x % THIN;
            first[c][r] = d[(panel + c) * SIZE + panel + r];
        }
        __syncthreads();
        int i = panel + threadIdx.x;
        if (i < BLOCK) {
            float top[THIN][THIN], row[THIN];
#pragma unroll
            for (int c = 0; c < THIN; c++) {
                row[c] = d[(panel + c) * SIZE + i];
                for (int r = c; r < THIN; r++)
                    top[c][r] = first[c][r];
            }
#pragma unroll
            for (int c = 0; c < THIN; c++) {
                float inverse = 1 / sqrtf(top[c][c]);
                row[c] *= inverse;
                for (int r = c; r < THIN; r++)
                    top[c][r] *= inverse;
                for (int e = c + 1; e < THIN; e++) {
                    row[e] -= row[c] * top[c][e];
                    for (int r = e; r < THIN; r++)
                        top[e][r] -= top[c][r] * top[c][e];
                }
            }
#pragma unroll
            for (int c = 0; c < THIN; c++)
                if (panel + c <= i)
                    d[(panel + c) * SIZE + i] = row[c];
        }
        __syncthreads();
        for (int j = panel + THIN + warp * OWN; j < BLOCK; j += warps * OWN)
            for (int at = j + lane; at < BLOCK; at += 32)
                take_off<THIN>(d + panel * SIZE + at, d + panel * SIZE + j, d + j * SIZE + at);
        __syncthreads();
    }
}

__global__ void solve(const float *d, float *x, int columns)
{
    __shared__ float inverses[SIZE];
    int warp = threadIdx.x / 32, i = blockIdx.x * ROWS + threadIdx.x % 32, warps = blockDim.x / 32;
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        inverses[c] = 1 / d[c * (SIZE + 1)];
    __syncthreads();
    for (int panel = 0; panel < columns; panel += PANEL) {
        if (warp == 0) {
            float row[PANEL];
#pragma unroll
            for (int c = 0; c < PANEL; c++)
                row[c] = x[(panel + c) * SIZE + i];
#pragma unroll
            for (int c = 0; c < PANEL; c++) {
                alignas(16) float column[PANEL];
                for (int n = 0; n < PANEL; n += OWN)
                    load(d + (panel + c) * SIZE + panel + n, column + n);
                row[c] *= inverses[panel + c];
                for (int e = c + 1; e < PANEL; e++)
                    row[e] -= row[c] * column[e];
            }
#pragma unroll
            for (int c = 0; c < PANEL; c++)
                x[(panel + c) * SIZE + i] = row[c];
        }
        __syncthreads();
        for (int j = panel + PANEL + warp * OWN; j < columns; j += warps * OWN)
            take_off<PANEL>(x + panel * SIZE + i, d + panel * SIZE + j, x + j * SIZE + i);
        __syncthreads();
    }
}

// Few elements for each thread: others wait for the product.
__global__ void update_block(const float *x, float *c)
{
    int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 32 + threadIdx.y;
    float sums[4] = {};
    for (int k = 0; k < BLOCK; k++)
        for (int n = 0; n < 4; n++)
            sums[n] += x[k * SIZE + i] * x[k * SIZE + j + n * 8];
    for (int n = 0; n < 4; n++)
        c[(j + n * 8) * SIZE + i] -= sums[n];
}

__global__ void update(const float *x, const float *y, float *c)
{
    constexpr int HALF = SIZE / 2;
    int at = blockIdx.x * blockDim.x + threadIdx.x, j = at / (HALF / 4) * OWN, i = at % (HALF / 4) * 4;
    float sums[OWN][OWN] = {};
    for (int k = 0; k < SIZE; k++) {
        alignas(16) float own[OWN], others[OWN];
        for (int half = 0; half < 2; half++)
            *reinterpret_cast<float4 *>(own + half * 4) =
                *reinterpret_cast<const float4 *>(x + k * SIZE + half * HALF + i);
        load(y + k * SIZE + j, others);
        for (int n = 0; n < OWN; n++)
            for (int m = 0; m < OWN; m++)
                sums[n][m] += others[n] * own[m];
    }
    for (int n = 0; n < OWN; n++)
        for (int m = 0; m < OWN; m++)
            c[(j + n) * SIZE + m / 4 * HALF + i + m % 4] -= sums[n][m];
}

// A stream for each tile; a tile's last event says that it is written.
static void cholesky(int tiles)
{
    size_t all = size_t(tiles) * (tiles + 1) / 2 * SIZE * SIZE;
    std::vector<float> host(all);
    float *a = on_device<float>(all);
    auto number = [](int i, int j) { return size_t(i) * (i + 1) / 2 + j; };
    auto tile = [&](int i, int j) { return a + number(i, j) * SIZE * SIZE; };
    for (int i = 0; i < tiles; i++)
        for (int j = 0; j <= i; j++)
            for (long y = 0; y < SIZE; y++)
                for (long x = 0; x < SIZE; x++) {
                    long row = long(i) * SIZE + x, column = long(j) * SIZE + y;
                    float value = (row == column ? 2.0 : 0) + 1.0 / (1 + labs(row - column));
                    host[number(i, j) * SIZE * SIZE + y * SIZE + x] = value;
                }
    std::vector<cudaStream_t> own = streams(tiles * (tiles + 1) / 2);
    std::vector<cudaEvent_t> written = events(tiles * (tiles + 1) / 2);
    for (int round = 0; round < 4; round++) {
        check(cudaMemcpy(a, host.data(), all * sizeof(float), cudaMemcpyHostToDevice));
        double start = seconds();
        auto stream = [&](int i, int j) { return own[number(i, j)]; };
        auto after = [&](cudaStream_t stream, int i, int j) {
            check(cudaStreamWaitEvent(stream, written[number(i, j)], 0));
        };
        for (int k = 0; k < tiles; k++) {
            for (int at = 0; at < SIZE; at += BLOCK) {
                float *d = tile(k, k) + at * SIZE + at, *below = d + BLOCK;
                int rest = SIZE - at - BLOCK;
                factor<<<1, 512, 0, stream(k, k)>>>(d);
                if (rest > 0) {
                    solve<<<rest / ROWS, 512, 0, stream(k, k)>>>(d, below, BLOCK);
                    update_block<<<dim3(rest / 32, rest / 32), dim3(32, 8), 0, stream(k, k)>>>(
                        below, below + BLOCK * SIZE);
                }
            }
            check(cudaEventRecord(written[number(k, k)], stream(k, k)));
            for (int i = k + 1; i < tiles; i++) {
                after(stream(i, k), k, k);
                solve<<<SIZE / ROWS, 512, 0, stream(i, k)>>>(tile(k, k), tile(i, k), SIZE);
                check(cudaEventRecord(written[number(i, k)], stream(i, k)));
            }
            for (int i = k + 1; i < tiles; i++)
                for (int j = k + 1; j <= i; j++) {
                    after(stream(i, j), i, k);
                    if (i != j)
                        after(stream(i, j), j, k);
                    update<<<SIZE * SIZE / (OWN * OWN * 128), 128, 0, stream(i, j)>>>(
                        tile(i, k), tile(j, k), tile(i, j));
                }
        }
        check(cudaDeviceSynchronize());
        printf("%.3f\n", 1e3 * (seconds() - start));
    }
}

constexpr int STRIPS = 4, STRIP = 512, COLUMNS = 4096, N = STRIPS * STRIP, TEAMS = 33, THREADS = 1024;

__global__ void strip(const float (*from)[COLUMNS], float (*to)[COLUMNS], int first)
{
    int start = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int at = start; at < STRIP * (COLUMNS - 2); at += step) {
        int i = first + at / (COLUMNS - 2), j = 1 + at % (COLUMNS - 2);
        to[i][j] = 0.2f * (from[i][j] + from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
    }
}

static void halo(int steps)
{
    auto *planes = on_device<float[COLUMNS]>(2 * (N + 2));
    check(cudaMemset(planes, 0, sizeof(float) * 2 * (N + 2) * COLUMNS));
    std::vector<cudaStream_t> own = streams(STRIPS);
    std::vector<cudaEvent_t> done = events(2 * STRIPS);
    for (int round = 0; round < 4; round++) {
        double start = seconds();
        for (int step = 0; step < steps; step++) {
            int from = step % 2, to = 1 - from;
            for (int s = 0; s < STRIPS; s++) {
                for (int other : {s - 1, s + 1})
                    if (step > 0 && other >= 0 && other < STRIPS)
                        check(cudaStreamWaitEvent(own[s], done[from * STRIPS + other], 0));
                strip<<<TEAMS, THREADS, 0, own[s]>>>(
                    planes + from * (N + 2), planes + to * (N + 2), 1 + s * STRIP);
                check(cudaEventRecord(done[to * STRIPS + s], own[s]));
            }
        }
        check(cudaDeviceSynchronize());
        printf("%.3f\n", 1e6 * (seconds() - start) / steps);
    }
}

int main(int argc, char **argv)
{
    auto number = [&](int at) { return argc > at ? atoi(argv[at]) : 1; };
    const char *name = argc > 1 ? argv[1] : "";
    if (!strcmp(name, "chain"))
        chain(number(2), number(3));
    else if (!strcmp(name, "independent"))
        independent(number(2), number(3), number(4));
    else if (!strcmp(name, "pipeline"))
        pipeline(number(2));
    else if (!strcmp(name, "cholesky"))
        cholesky(number(2));
    else if (!strcmp(name, "halo"))
        halo(number(2));
    else
        return 2;
    return 0;
}
