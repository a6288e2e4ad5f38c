// The same reductions by CUB, in CUDA: kernel times by events.
//
//     name elements bytes median-microseconds mean-microseconds
#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <vector>

enum { ROUNDS = 40, WARMING = 3, ROWS = 16384 };

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
        std::exit(1);
    }
}

template <class Work> static void measure(const char *name, long n, double bytes, Work work)
{
    size_t needed = 0;
    check(work(nullptr, needed));
    void *memory;
    check(cudaMalloc(&memory, needed));
    std::vector<float> times;
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    for (int round = 0; round < ROUNDS; round++) {
        check(cudaEventRecord(begin));
        check(work(memory, needed));
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float milliseconds;
        check(cudaEventElapsedTime(&milliseconds, begin, end));
        if (round >= WARMING)
            times.push_back(milliseconds * 1e3f);
    }
    double mean = 0;
    for (float time : times)
        mean += time / times.size();
    std::sort(times.begin(), times.end());
    std::printf("%s %ld %.0f %.2f %.2f\n", name, n, bytes, times[times.size() / 2], mean);
    check(cudaFree(memory));
}

struct Product {
    const float *a, *b;
    __host__ __device__ float operator()(int i) const { return a[i] * b[i]; }
};

struct Large {
    const float *a;
    __host__ __device__ float operator()(int i) const { return a[i] > 0.5f ? a[i] * a[i] : 0.0f; }
};

struct RowStart {
    int columns;
    __host__ __device__ int operator()(int row) const { return row * columns; }
};

int main()
{
    for (long n : {1L << 26, 1L << 28}) {
        void *memory;
        float *other, *out;
        check(cudaMalloc(&memory, 8 * n));
        check(cudaMalloc(&other, 4 * n));
        check(cudaMalloc(&out, ROWS * 8));
        check(cudaMemset(memory, 0, 8 * n));
        check(cudaMemset(other, 0, 4 * n));
        float *f = static_cast<float *>(memory);
        double *d = static_cast<double *>(memory);
        int *w = static_cast<int *>(memory);
        int count = static_cast<int>(n), columns = count / ROWS;
        auto numbers = thrust::make_counting_iterator(0);
        auto products = thrust::make_transform_iterator(numbers, Product{f, other});
        auto large = thrust::make_transform_iterator(numbers, Large{f});
        auto begins = thrust::make_transform_iterator(numbers, RowStart{columns});
        measure("sum_f32", n, 4.0 * n, [&](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, f, out, count); });
        measure("max_f32", n, 4.0 * n, [&](void *t, size_t &b) { return cub::DeviceReduce::Max(t, b, f, out, count); });
        measure("dot_f32", n, 8.0 * n,
                [&](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, products, out, count); });
        measure("conditional_f32", n, 4.0 * n,
                [&](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, large, out, count); });
        measure("rows_f32", n, 4.0 * n, [&](void *t, size_t &b) {
            return cub::DeviceSegmentedReduce::Sum(t, b, f, out, ROWS, begins, begins + 1);
        });
        measure("sum_f64", n, 8.0 * n, [&](void *t, size_t &b) {
            return cub::DeviceReduce::Sum(t, b, d, reinterpret_cast<double *>(out), count);
        });
        measure("sum_i32", n, 4.0 * n, [&](void *t, size_t &b) {
            return cub::DeviceReduce::Sum(t, b, w, reinterpret_cast<int *>(out), count);
        });
        measure("max_i32", n, 4.0 * n, [&](void *t, size_t &b) {
            return cub::DeviceReduce::Max(t, b, w, reinterpret_cast<int *>(out), count);
        });
        check(cudaFree(memory));
        check(cudaFree(other));
        check(cudaFree(out));
    }
    return 0;
}
