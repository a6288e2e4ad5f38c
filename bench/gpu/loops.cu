// The loops of loops.c as one would write them in CUDA without tricks: a thread for each iteration, a warp for each sparse row.
//
//     name median-microseconds
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum {
    ROUNDS = 20,
    WARMING = 3,
    N = 1 << 26,
    SIDE = 8192,
    EDGE = 512,
    ORDER = 2048,
    BODIES = 1 << 15,
    NODES = 1 << 20,
    PER_ROW = 24,
    BINS = 256,
    PIXELS = 2048,
    MOST_STEPS = 256,
    THREADS = 256
};

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
        std::exit(1);
    }
}

template <class Work> static void measure(const char *name, Work work)
{
    std::vector<float> times;
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    for (int round = 0; round < ROUNDS; round++) {
        check(cudaEventRecord(begin));
        work();
        check(cudaGetLastError());
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float milliseconds;
        check(cudaEventElapsedTime(&milliseconds, begin, end));
        if (round >= WARMING)
            times.push_back(milliseconds * 1e3f);
    }
    std::sort(times.begin(), times.end());
    std::printf("%s %.2f\n", name, times[times.size() / 2]);
}

__device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void saxpy(int n, float factor, const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread();
    if (i < n)
        y[i] = factor * x[i] + y[i];
}

__global__ void triad(int n, const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ z)
{
    int i = thread();
    if (i < n)
        z[i] = x[i] + 3.0f * y[i];
}

__global__ void gather(int n, const int *__restrict__ from, const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread();
    if (i < n)
        y[i] = x[from[i]];
}

__global__ void plane_stencil(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread(), i = blockIdx.y;
    if (i > 0 && j > 0 && i < n - 1 && j < n - 1)
        y[i * n + j] = 0.25f * (x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1] + x[i * n + j + 1]);
}

__global__ void cube_stencil(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int k = thread(), j = blockIdx.y, i = blockIdx.z;
    if (i > 0 && j > 0 && k > 0 && i < n - 1 && j < n - 1 && k < n - 1) {
        int at = (i * n + j) * n + k;
        y[at] = x[at - n * n] + x[at + n * n] + x[at - n] + x[at + n] + x[at - 1] + x[at + 1] - 6.0f * x[at];
    }
}

__global__ void transpose(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread(), i = blockIdx.y;
    if (j < n)
        y[j * n + i] = x[i * n + j];
}

__global__ void matmul(int n, const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ z)
{
    int j = thread(), i = blockIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[i * n + k] * y[k * n + j];
    z[i * n + j] = sum;
}

__global__ void bodies(int n, const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ force)
{
    int i = thread();
    float sum = 0;
    for (int j = 0; j < n; j++) {
        float dx = x[j] - x[i], dy = y[j] - y[i];
        float distance = dx * dx + dy * dy + 0.01f;
        sum += dx / (distance * sqrtf(distance));
    }
    force[i] = sum;
}

__global__ void sparse(int n, const int *__restrict__ column, const float *__restrict__ value, const float *__restrict__ x,
                       float *__restrict__ y)
{
    int i = thread() / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int k = lane; k < PER_ROW; k += 32)
        sum += value[i * PER_ROW + k] * x[column[i * PER_ROW + k]];
    for (int by = 16; by > 0; by /= 2)
        sum += __shfl_down_sync(~0u, sum, by);
    if (lane == 0)
        y[i] = sum;
}

__global__ void histogram(int n, const int *__restrict__ x, int *__restrict__ count)
{
    int i = thread();
    if (i < n)
        atomicAdd(&count[x[i] & (BINS - 1)], 1);
}

__global__ void escape(int n, int *__restrict__ steps)
{
    int j = thread(), i = blockIdx.y;
    float cr = 3.0f * j / n - 2.0f, ci = 2.0f * i / n - 1.0f, zr = 0, zi = 0;
    int step = 0;
    while (step < MOST_STEPS && zr * zr + zi * zi < 4.0f) {
        float next = zr * zr - zi * zi + cr;
        zi = 2.0f * zr * zi + ci;
        zr = next;
        step++;
    }
    steps[i * n + j] = step;
}

__global__ void options(int n, const float *__restrict__ price, const float *__restrict__ time, float *__restrict__ call)
{
    int i = thread();
    float s = 10.0f + price[i], t = 0.5f + time[i], root = 0.3f * sqrtf(t);
    float d = (logf(s / 12.0f) + (0.02f + 0.045f) * t) / root;
    call[i] = s * 0.5f * erfcf(-d * 0.70710678f) - 12.0f * expf(-0.02f * t) * 0.5f * erfcf((root - d) * 0.70710678f);
}

__global__ void waves(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread();
    y[i] = sinf(x[i] * 6.0f) * cosf(x[i] * 3.0f) + powf(x[i] + 0.5f, 1.7f);
}

int main()
{
    long cube = long(EDGE) * EDGE * EDGE;
    std::vector<float> numbers(cube);
    std::vector<int> indices(N);
    unsigned state = 1;
    auto next = [&] { return state = state * 1664525u + 1013904223u; };
    for (float &number : numbers)
        number = (next() >> 8) * 0x1p-24f;
    for (int &index : indices)
        index = (next() >> 8) % NODES;
    float *a, *b, *c;
    int *from, *counts, *steps;
    check(cudaMalloc(&a, 4 * cube));
    check(cudaMalloc(&b, 4 * cube));
    check(cudaMalloc(&c, 4 * cube));
    check(cudaMalloc(&from, 4L * N));
    check(cudaMalloc(&counts, 4 * BINS));
    check(cudaMalloc(&steps, 4 * PIXELS * PIXELS));
    check(cudaMemcpy(a, numbers.data(), 4 * cube, cudaMemcpyHostToDevice));
    for (float &number : numbers)
        number = 1.0f - number;
    check(cudaMemcpy(b, numbers.data(), 4 * cube, cudaMemcpyHostToDevice));
    check(cudaMemcpy(from, indices.data(), 4L * N, cudaMemcpyHostToDevice));
    check(cudaMemset(counts, 0, 4 * BINS));
    dim3 vector(N / THREADS), plane(SIDE / THREADS, SIDE), space(EDGE / THREADS, EDGE, EDGE), matrix(ORDER / THREADS, ORDER);
    measure("triad", [&] { triad<<<vector, THREADS>>>(N, a, b, c); });
    measure("saxpy", [&] { saxpy<<<vector, THREADS>>>(N, 0.5f, a, c); });
    measure("gather", [&] { gather<<<vector, THREADS>>>(N, from, a, c); });
    measure("plane_stencil", [&] { plane_stencil<<<plane, THREADS>>>(SIDE, a, c); });
    measure("rows_stencil", [&] { plane_stencil<<<plane, THREADS>>>(SIDE, b, c); });
    measure("cube_stencil", [&] { cube_stencil<<<space, THREADS>>>(EDGE, a, c); });
    measure("transpose", [&] { transpose<<<plane, THREADS>>>(SIDE, a, c); });
    measure("matmul", [&] { matmul<<<matrix, THREADS>>>(ORDER, a, b, c); });
    measure("bodies", [&] { bodies<<<BODIES / THREADS, THREADS>>>(BODIES, a, b, c); });
    measure("sparse", [&] { sparse<<<NODES / (THREADS / 32), THREADS>>>(NODES, from, a, b, c); });
    measure("histogram", [&] { histogram<<<vector, THREADS>>>(N, from, counts); });
    measure("escape", [&] { escape<<<dim3(PIXELS / THREADS, PIXELS), THREADS>>>(PIXELS, steps); });
    measure("options", [&] { options<<<vector, THREADS>>>(N, a, b, c); });
    measure("waves", [&] { waves<<<vector, THREADS>>>(N, a, c); });
    return 0;
}
