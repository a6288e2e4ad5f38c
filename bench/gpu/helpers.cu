// The loops of helpers.c as one writes them first in CUDA: a thread for each iteration, the same functions.
#include "helpers.h"
#include "measured.cuh"

__global__ void transformed(const number *__restrict__ x, number *__restrict__ y) { butterfly(thread(), SPECTRUM, x, y); }

__global__ void attracted(const body *__restrict__ x, body *__restrict__ y)
{
    int i = thread();
    body own = x[i], force = {0, 0, 0, 0};
    for (int k = 0; k < BODIES; k++)
        force = pulled_by(own, x[k], force);
    y[i] = force;
}

__global__ void rotated(const float *__restrict__ x, float *__restrict__ y)
{
    int j = thread(), i = blockIdx.y * blockDim.y + threadIdx.y;
    y[i * SIDE + j] = sampled(x, 0.9f * j + 0.2f * i - 200, -0.2f * j + 0.9f * i + 150);
}

__global__ void diffused(const float *__restrict__ x, float *__restrict__ y)
{
    int k = thread() + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1, i = blockIdx.z + 1;
    if (j < CUBE - 1 && k < CUBE - 1)
        y[(i * CUBE + j) * CUBE + k] = 0.1f * laplacian(x, i, j, k);
}

__global__ void flowing(const double *__restrict__ x, double *__restrict__ y)
{
    int i = thread() + 1;
    if (i < CELLS - 1)
        advanced(i, x, y);
}

__global__ void walks(float *__restrict__ y)
{
    int i = thread();
    y[i] = walked(i * 2654435761u + 12345);
}

__global__ void prices(const float *__restrict__ x, float *__restrict__ y)
{
    int i = thread();
    priced(10 + 20 * x[i], 5 + 30 * x[OPTIONS + i], 0.5f + x[2 * OPTIONS + i], &y[i], &y[OPTIONS + i]);
}

__global__ void turns(const turn *__restrict__ by, const vector *__restrict__ x, vector *__restrict__ y)
{
    int i = thread();
    y[i] = turned(by[i], x[i]);
}

__global__ void products(const matrix *__restrict__ x, const matrix *__restrict__ y, matrix *__restrict__ z)
{
    int i = thread();
    z[i] = times(x[i], y[i]);
}

__global__ void lattice(const float *__restrict__ x, float *__restrict__ y) { relaxed(thread(), x, y); }

__global__ void sparse_rows(const int *__restrict__ column, const double *__restrict__ x, const double *__restrict__ y,
                            double *__restrict__ z)
{
    int i = thread();
    z[i] = of_row(column, x, y, i * IN_ROW, i * IN_ROW + IN_ROW);
}

__global__ void dense_product(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ z)
{
    int j = thread(), i = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < ORDER; k++)
        sum += element(x, i, k) * element(y, k, j);
    z[i * ORDER + j] = sum;
}

__global__ void clusters(const float *__restrict__ x, const float *__restrict__ means, int *__restrict__ y)
{
    int i = thread();
    y[i] = nearest(x + i * TRAITS, means);
}

__global__ void spelled(const unsigned char *__restrict__ x, int *__restrict__ y)
{
    int i = thread();
    y[i] = changes(x + i * LETTERS, x + 64);
}

__global__ void paled(const colour *__restrict__ x, colour *__restrict__ y)
{
    int i = thread();
    y[i] = paler(x[i]);
}

int main()
{
    std::vector<float> numbers(N);
    std::vector<double> doubles(N / 2);
    std::vector<int> columns(N);
    fill(numbers.data(), doubles.data(), columns.data());
    float *a = copy(numbers);
    double *wide = copy(doubles);
    int *column = copy(columns);
    check(cudaMalloc(&c, 4L * N));
    double *wide_out = (double *)c;
    int *ints = (int *)c;
    const int T = THREADS;
    const dim3 threads(32, 8);
    measure<float>("transformed", 8 * SPECTRUM, [=] { transformed<<<SPECTRUM / T, T>>>((number *)a, (number *)c); });
    measure<float>("attracted", 4 * BODIES, [=] { attracted<<<BODIES / T, T>>>((body *)a, (body *)c); });
    measure<float>("rotated", SIDE * SIDE, [=] { rotated<<<dim3(SIDE / 32, SIDE / 8), threads>>>(a, c); });
    measure<float>("diffused", CUBE * CUBE * CUBE,
                   [=] { diffused<<<dim3(CUBE / 32, CUBE / 8, CUBE - 2), threads>>>(a, c); });
    measure<double>("flowing", 5 * CELLS, [=] { flowing<<<CELLS / T, T>>>(wide, wide_out); });
    measure<float>("walks", WALKS, [=] { walks<<<WALKS / T, T>>>(c); });
    measure<float>("prices", 2 * OPTIONS, [=] { prices<<<OPTIONS / T, T>>>(a, c); });
    measure<float>("turns", 3 * TURNS, [=] { turns<<<TURNS / T, T>>>((turn *)a, (vector *)a, (vector *)c); });
    measure<float>("products", 16 * MATRICES,
                   [=] { products<<<MATRICES / T, T>>>((matrix *)a, (matrix *)(a + 16 * MATRICES), (matrix *)c); });
    measure<float>("lattice", 9 * CELLS, [=] { lattice<<<CELLS / T, T>>>(a, c); });
    measure<double>("sparse_rows", ROWS, [=] { sparse_rows<<<ROWS / T, T>>>(column, wide, wide + IN_ROW * ROWS, wide_out); });
    measure<float>("dense_product", ORDER * ORDER,
                   [=] { dense_product<<<dim3(ORDER / 32, ORDER / 8), threads>>>(a, a + ORDER * ORDER, c); });
    measure<int>("clusters", POINTS, [=] { clusters<<<POINTS / T, T>>>(a, a + POINTS * TRAITS, ints); });
    measure<int>("spelled", WORDS, [=] { spelled<<<WORDS / T, T>>>((unsigned char *)column, ints); });
    measure<unsigned char>("paled", 3 * TURNS, [=] { paled<<<TURNS / T, T>>>((colour *)column, (colour *)c); });
    return 0;
}
