// The programs of steps.c as one writes them in CUDA: a thread for each cell. Each prints the microseconds of a step with launches
// and as graphs of two steps, and a sum of what it has computed with launches.
#include "../tasks/clock.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { N = 256, CELLS = N * N, ROUNDS = 5, STEPS = 400, LEVELS = 7, DIRECTIONS = 9, PARTICLES = 4096, THREADS = 256 };

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

static cudaStream_t stream;

static double *device(const std::vector<double> &host)
{
    double *memory;
    check(cudaMalloc(&memory, host.size() * sizeof(double)));
    check(cudaMemcpy(memory, host.data(), host.size() * sizeof(double), cudaMemcpyHostToDevice));
    return memory;
}

static double total(const double *memory, int n)
{
    std::vector<double> host(n);
    check(cudaMemcpy(host.data(), memory, n * sizeof(double), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += host[i] * (1 + i % 7);
    return sum;
}

static std::vector<double> start()
{
    std::vector<double> a(CELLS);
    for (int i = 0; i < CELLS; i++)
        a[i] = i % 13 * 0.1 + (i / N % 5) * 0.2;
    return a;
}

static const dim3 SQUARE(32, 8);

static dim3 cells(int n) { return dim3((n + 31) / 32, (n + 7) / 8); }

static int rows(int n) { return (n + THREADS - 1) / THREADS; }

// Times of a step: launched, and as a graph; `step` gets the number of the step, which graphs know modulo 2.
template <class Step> static void measure(const char *name, int steps, Step step, double (*sum)())
{
    double launched = INFINITY, replayed = INFINITY;
    for (int r = 0; r < ROUNDS; r++) {
        double begin = seconds();
        for (int s = 0; s < steps; s++)
            step(s);
        check(cudaStreamSynchronize(stream));
        launched = fmin(launched, (seconds() - begin) / steps);
    }
    double result = sum();
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    step(0);
    step(1);
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaGraphInstantiate(&executable, graph, 0));
    for (int r = 0; r < ROUNDS; r++) {
        double begin = seconds();
        for (int s = 0; s < steps; s += 2)
            check(cudaGraphLaunch(executable, stream));
        check(cudaStreamSynchronize(stream));
        replayed = fmin(replayed, (seconds() - begin) / steps);
    }
    printf("%s %.3f %.3f %.9g\n", name, launched * 1e6, replayed * 1e6, result);
    fflush(stdout);
}

__global__ void heat_step(const double *from, double *to)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= N - 1 || j >= N - 1)
        return;
    to[i * N + j] = 0.2 * (from[i * N + j] + from[i * N + j - 1] + from[i * N + j + 1] + from[(i - 1) * N + j] + from[(i + 1) * N + j]);
}

static void heat()
{
    static double *a = device(start()), *b = device(std::vector<double>(CELLS));
    measure("heat", STEPS, [](int s) { heat_step<<<cells(N), SQUARE, 0, stream>>>(s % 2 ? b : a, s % 2 ? a : b); },
            [] { return total(a, CELLS); });
}

__global__ void water_u(const double *h, double *u)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    u[i * N + j] -= 0.01 * (h[i * N + (j + 1) % N] - h[i * N + j]);
}

__global__ void water_v(const double *h, double *v)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    v[i * N + j] -= 0.01 * (h[(i + 1) % N * N + j] - h[i * N + j]);
}

__global__ void water_h(double *h, const double *u, const double *v)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    h[i * N + j] -= 0.01 * (u[i * N + j] - u[i * N + (j + N - 1) % N] + v[i * N + j] - v[(i + N - 1) % N * N + j]);
}

static void water()
{
    static double *h = device(start()), *u = device(std::vector<double>(CELLS)), *v = device(std::vector<double>(CELLS));
    measure("water", STEPS,
            [](int) {
                water_u<<<cells(N), SQUARE, 0, stream>>>(h, u);
                water_v<<<cells(N), SQUARE, 0, stream>>>(h, v);
                water_h<<<cells(N), SQUARE, 0, stream>>>(h, u, v);
            },
            [] { return total(h, CELLS); });
}

// The sum of a block's threads, in thread 0.
__device__ double block_sum(double value)
{
    __shared__ double parts[32];
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (int by = 16; by; by /= 2)
        value += __shfl_down_sync(~0u, value, by);
    if (thread % 32 == 0)
        parts[thread / 32] = value;
    __syncthreads();
    value = thread < blockDim.x * blockDim.y / 32 ? parts[thread] : 0;
    if (thread < 32)
        for (int by = 16; by; by /= 2)
            value += __shfl_down_sync(~0u, value, by);
    return value;
}

__global__ void laplacian(const double *p, double *q, double *sum)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    double left = j > 0 ? p[i * N + j - 1] : 0, right = j < N - 1 ? p[i * N + j + 1] : 0;
    double up = i > 0 ? p[(i - 1) * N + j] : 0, down = i < N - 1 ? p[(i + 1) * N + j] : 0;
    double value = 4.1 * p[i * N + j] - left - right - up - down;
    q[i * N + j] = value;
    double part = block_sum(p[i * N + j] * value);
    if (threadIdx.x == 0 && threadIdx.y == 0)
        atomicAdd(sum, part);
}

// `alpha` and `beta` are in the host's memory, so that graphs find new ones.
__global__ void advance(double *x, const double *p, double *r, const double *q, const double *alpha, double *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] += *alpha * p[i];
    double value = r[i] -= *alpha * q[i];
    double part = block_sum(value * value);
    if (threadIdx.x == 0)
        atomicAdd(sum, part);
}

__global__ void direct(double *p, const double *r, const double *beta)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = r[i] + *beta * p[i];
}

// Two sums a step come to the host, as in steps.c; as graphs, a step is three of them.
static void gradients()
{
    static double *x = device(std::vector<double>(CELLS)), *r = device(start()), *p = device(start()), *q = device(std::vector<double>(CELLS));
    static double *sums = device({0, 0}), *host;
    check(cudaMallocHost(&host, 4 * sizeof *host));
    static double rr;
    for (double value : start())
        rr += value * value;
    auto first = [] {
        check(cudaMemsetAsync(sums, 0, 2 * sizeof *sums, stream));
        laplacian<<<cells(N), SQUARE, 0, stream>>>(p, q, sums);
        check(cudaMemcpyAsync(host, sums, sizeof *sums, cudaMemcpyDeviceToHost, stream));
    };
    auto second = [] {
        advance<<<CELLS / THREADS, THREADS, 0, stream>>>(x, p, r, q, host + 2, sums + 1);
        check(cudaMemcpyAsync(host + 1, sums + 1, sizeof *sums, cudaMemcpyDeviceToHost, stream));
    };
    auto third = [] { direct<<<CELLS / THREADS, THREADS, 0, stream>>>(p, r, host + 3); };
    static cudaGraphExec_t graphs[3];
    auto record = [](cudaGraphExec_t *executable, auto part) {
        cudaGraph_t graph;
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        part();
        check(cudaStreamEndCapture(stream, &graph));
        check(cudaGraphInstantiate(executable, graph, 0));
    };
    record(graphs, first);
    record(graphs + 1, second);
    record(graphs + 2, third);
    auto time = [&](auto one, auto two, auto three) {
        double best = INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            double begin = seconds();
            for (int s = 0; s < STEPS / 8; s++) {
                one();
                check(cudaStreamSynchronize(stream));
                host[2] = host[0] > 0 ? rr / host[0] : 0;
                two();
                check(cudaStreamSynchronize(stream));
                host[3] = rr > 0 ? host[1] / rr : 0;
                rr = host[1];
                three();
            }
            check(cudaStreamSynchronize(stream));
            best = fmin(best, (seconds() - begin) / (STEPS / 8));
        }
        return best;
    };
    double launched = time(first, second, third), result = total(x, CELLS);
    auto launch = [](int part) { check(cudaGraphLaunch(graphs[part], stream)); };
    double replayed = time([&] { launch(0); }, [&] { launch(1); }, [&] { launch(2); });
    printf("gradients %.3f %.3f %.9g\n", launched * 1e6, replayed * 1e6, result);
    fflush(stdout);
}

__global__ void smooth(int n, const double *x, const double *b, double *y)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1)
        return;
    y[i * n + j] = x[i * n + j] + 0.8 * 0.25 * (b[i * n + j] - 4 * x[i * n + j] + x[i * n + j - 1] + x[i * n + j + 1] + x[(i - 1) * n + j] + x[(i + 1) * n + j]);
}

__global__ void restrict_residual(int n, const double *x, const double *b, int m, double *coarse, double *guess)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= m - 1 || j >= m - 1)
        return;
    int at = 2 * i * n + 2 * j;
    coarse[i * m + j] = b[at] - 4 * x[at] + x[at - 1] + x[at + 1] + x[at - n] + x[at + n];
    guess[i * m + j] = 0;
}

__global__ void prolong(int n, double *x, int m, const double *coarse)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1)
        return;
    x[i * n + j] += 0.25 * (coarse[i / 2 * m + j / 2] + coarse[(i + 1) / 2 * m + j / 2] + coarse[i / 2 * m + (j + 1) / 2] + coarse[(i + 1) / 2 * m + (j + 1) / 2]);
}

static void multigrid()
{
    static int size[LEVELS], offset[LEVELS + 1];
    for (int l = 0; l < LEVELS; l++) {
        size[l] = (N >> l) + 1;
        offset[l + 1] = offset[l] + size[l] * size[l];
    }
    std::vector<double> right(offset[LEVELS]);
    for (int i = 0; i < size[0] * size[0]; i++)
        right[i] = i % 11 * 0.1 - 0.5;
    static double *x = device(std::vector<double>(offset[LEVELS])), *b = device(right), *y = device(std::vector<double>(offset[LEVELS]));
    auto step = [](int) {
        auto both = [](int l) {
            double *own = x + offset[l], *other = y + offset[l], *known = b + offset[l];
            smooth<<<cells(size[l]), SQUARE, 0, stream>>>(size[l], own, known, other);
            smooth<<<cells(size[l]), SQUARE, 0, stream>>>(size[l], other, known, own);
        };
        for (int l = 0; l < LEVELS; l++) {
            both(l);
            if (l + 1 < LEVELS)
                restrict_residual<<<cells(size[l + 1]), SQUARE, 0, stream>>>(size[l], x + offset[l], b + offset[l], size[l + 1], b + offset[l + 1], x + offset[l + 1]);
        }
        for (int l = LEVELS - 2; l >= 0; l--) {
            prolong<<<cells(size[l]), SQUARE, 0, stream>>>(size[l], x + offset[l], size[l + 1], x + offset[l + 1]);
            both(l);
        }
    };
    measure("multigrid", STEPS / 8, step, [] { return total(x, size[0] * size[0]); });
}

__constant__ int dx[DIRECTIONS] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[DIRECTIONS] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ double weight[DIRECTIONS] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

__global__ void collide(const double *from, double *to)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    double value[DIRECTIONS], density = 0, x = 0, y = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        value[d] = from[d * CELLS + (i - dy[d] + N) % N * N + (j - dx[d] + N) % N];
        density += value[d];
        x += value[d] * dx[d];
        y += value[d] * dy[d];
    }
    x /= density, y /= density;
    for (int d = 0; d < DIRECTIONS; d++) {
        double along = 3 * (x * dx[d] + y * dy[d]);
        double rest = weight[d] * density * (1 + along + 0.5 * along * along - 1.5 * (x * x + y * y));
        to[d * CELLS + i * N + j] = value[d] - 0.6 * (value[d] - rest);
    }
}

__global__ void lid(double *to)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    to[5 * CELLS + j] += 0.0001;
    to[6 * CELLS + j] -= 0.0001;
}

static void lattice()
{
    static const double weights[DIRECTIONS] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
    std::vector<double> first(DIRECTIONS * CELLS);
    for (int d = 0; d < DIRECTIONS; d++)
        for (int i = 0; i < CELLS; i++)
            first[d * CELLS + i] = weights[d] * (1 + i % 17 * 0.001);
    static double *f = device(first), *g = device(std::vector<double>(DIRECTIONS * CELLS));
    measure("lattice", STEPS,
            [](int s) {
                double *from = s % 2 ? g : f, *to = s % 2 ? f : g;
                collide<<<cells(N), SQUARE, 0, stream>>>(from, to);
                lid<<<N / THREADS, THREADS, 0, stream>>>(to);
            },
            [] { return total(f, CELLS); });
}

__global__ void kick(double *v, const double *force)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    v[i] += 0.005 * force[i];
}

__global__ void drift(double *x, const double *v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] += 0.01 * v[i];
}

__global__ void forces(const double *x, double *force)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double left = i > 0 ? x[i] - x[i - 1] - 0.01 : 0, right = i < PARTICLES - 1 ? x[i + 1] - x[i] - 0.01 : 0;
    force[i] = right - left;
}

__global__ void damp(double *v, const double *force)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    v[i] = 0.9999 * (v[i] + 0.005 * force[i]);
}

static void particles()
{
    std::vector<double> places(PARTICLES);
    for (int i = 0; i < PARTICLES; i++)
        places[i] = i * 0.01 + i % 3 * 0.001;
    static double *x = device(places), *v = device(std::vector<double>(PARTICLES)), *force = device(std::vector<double>(PARTICLES));
    measure("particles", STEPS,
            [](int) {
                kick<<<rows(PARTICLES), THREADS, 0, stream>>>(v, force);
                drift<<<rows(PARTICLES), THREADS, 0, stream>>>(x, v);
                forces<<<rows(PARTICLES), THREADS, 0, stream>>>(x, force);
                damp<<<rows(PARTICLES), THREADS, 0, stream>>>(v, force);
            },
            [] { return total(x, PARTICLES); });
}

int main()
{
    check(cudaStreamCreate(&stream));
    heat();
    water();
    gradients();
    multigrid();
    lattice();
    particles();
    return 0;
}
