// What nests.cu and the suites behind it have in common: a kernel's time and checksum in a line, folding in a
// block.
//
//     name median-microseconds checksum
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { ROUNDS = 20, WARMING = 3, THREADS = 256, WARP = 32 };

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
        std::exit(1);
    }
}

/// What a loop writes: `N` floats or as many bytes.
static float *c;

template <class Type, class Work> static void measure(const char *name, long count, Work work)
{
    static std::vector<float> result(N);
    check(cudaMemset(c, 0, 4L * N));
    work();
    check(cudaGetLastError());
    check(cudaMemcpy(result.data(), c, 4L * N, cudaMemcpyDeviceToHost));
    const Type *out = reinterpret_cast<const Type *>(result.data());
    double sum = 0;
    for (long i = 0; i < count; i += 97)
        sum += out[i];
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
    std::printf("%s %.2f %.9g\n", name, times[times.size() / 2], sum);
}

template <class Type> static Type *copy(const std::vector<Type> &from)
{
    Type *to;
    check(cudaMalloc(&to, sizeof(Type) * from.size()));
    check(cudaMemcpy(to, from.data(), sizeof(Type) * from.size(), cudaMemcpyHostToDevice));
    return to;
}

__device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

struct Most {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

template <class Op> __device__ float of_warp(float value, Op op)
{
    for (int by = WARP / 2; by > 0; by /= 2)
        value = op(value, __shfl_xor_sync(~0u, value, by));
    return value;
}

/// The sum over as many lanes as a power of two says.
template <class Type> __device__ Type sum_of_lanes(Type value, int lanes)
{
    for (int by = lanes / 2; by > 0; by /= 2)
        value += __shfl_xor_sync(~0u, value, by);
    return value;
}

/// The largest value of a block: lanes may have the same part.
__device__ float most_of_block(float value)
{
    __shared__ float parts[WARP];
    value = of_warp(value, Most());
    __syncthreads();
    if (threadIdx.x % WARP == 0)
        parts[threadIdx.x / WARP] = value;
    __syncthreads();
    return of_warp(parts[threadIdx.x % (blockDim.x / WARP)], Most());
}

/// The sum over a block.
template <class Type> __device__ Type sum_of_block(Type value)
{
    __shared__ Type parts[WARP];
    value = sum_of_lanes(value, WARP);
    __syncthreads();
    if (threadIdx.x % WARP == 0)
        parts[threadIdx.x / WARP] = value;
    __syncthreads();
    int lane = threadIdx.x % WARP;
    return sum_of_lanes(lane < blockDim.x / WARP ? parts[lane] : Type(), WARP);
}
