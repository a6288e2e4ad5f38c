// Reductions over data that is on the device, each a plain loop in a function of its own. Prints for each the time of a region as
// the host sees it: launch, scalars, synchronisation. Any OpenACC compiler takes it.
//
//     regions BITS: 2^BITS elements, BITS from 18 to 28; a line for each loop: name elements result median-microseconds
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 40, WARMING = 3, ROWS = 16384 };

static double times[ROUNDS];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(const char *name, int n, double result)
{
    qsort(times + WARMING, ROUNDS - WARMING, sizeof times[0], compare);
    printf("%s %d %.6g %.2f\n", name, n, result, times[WARMING + (ROUNDS - WARMING) / 2]);
    fflush(stdout);
}

#define MEASURE(function, ...)                    \
    do {                                          \
        double result = 0;                        \
        for (int r = 0; r < ROUNDS; r++) {        \
            double begin = now();                 \
            result = function(n, __VA_ARGS__);    \
            times[r] = now() - begin;             \
        }                                         \
        report(#function, n, result);             \
    } while (0)

static float sum_f32(int n, const float *restrict a)
{
    float s = 0;
#pragma acc parallel loop reduction(+:s) present(a[0:n])
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

static float max_f32(int n, const float *restrict a)
{
    float m = 0;
#pragma acc parallel loop reduction(max:m) present(a[0:n])
    for (int i = 0; i < n; i++)
        m = a[i] > m ? a[i] : m;
    return m;
}

static float dot_f32(int n, const float *restrict a, const float *restrict b)
{
    float s = 0;
#pragma acc parallel loop reduction(+:s) present(a[0:n], b[0:n])
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

static float conditional_f32(int n, const float *restrict a)
{
    float s = 0;
#pragma acc parallel loop reduction(+:s) present(a[0:n])
    for (int i = 0; i < n; i++)
        if (a[i] > 0.5f)
            s += a[i] * a[i];
    return s;
}

static float rows_f32(int n, const float *restrict a, float *restrict out)
{
    int columns = n / ROWS;
#pragma acc parallel loop gang present(a[0:n], out[0:ROWS])
    for (int i = 0; i < ROWS; i++) {
        float row = 0;
#pragma acc loop vector reduction(+:row)
        for (int j = 0; j < columns; j++)
            row += a[(long)i * columns + j];
        out[i] = row;
    }
    return 0;
}

static double sum_f64(int n, const double *restrict a)
{
    double s = 0;
#pragma acc parallel loop reduction(+:s) present(a[0:n])
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

static int sum_i32(int n, const int *restrict a)
{
    int s = 0;
#pragma acc parallel loop reduction(+:s) present(a[0:n])
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

static int max_i32(int n, const int *restrict a)
{
    int m = INT_MIN;
#pragma acc parallel loop reduction(max:m) present(a[0:n])
    for (int i = 0; i < n; i++)
        m = a[i] > m ? a[i] : m;
    return m;
}

static void floats(int n, float *a, float *b, float *out)
{
    for (int i = 0; i < n; i++) {
        a[i] = (i & 15) / 16.0f;
        b[i] = (i & 7) / 8.0f;
    }
#pragma acc data copyin(a[0:n], b[0:n]) copyout(out[0:ROWS])
    {
        MEASURE(sum_f32, a);
        MEASURE(max_f32, a);
        MEASURE(dot_f32, a, b);
        MEASURE(conditional_f32, a);
        MEASURE(rows_f32, a, out);
    }
    int wrong = 0;
    for (int i = 0; i < ROWS; i++)
        wrong += out[i] != n / ROWS * 0.46875f;
    if (wrong)
        printf("%d wrong sums of rows\n", wrong);
}

static void doubles(int n, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] = (i & 15) / 16.0;
#pragma acc data copyin(a[0:n])
    MEASURE(sum_f64, a);
}

static void ints(int n, int *a)
{
    for (int i = 0; i < n; i++)
        a[i] = i & 15;
#pragma acc data copyin(a[0:n])
    {
        MEASURE(sum_i32, a);
        MEASURE(max_i32, a);
    }
}

int main(int argc, char **argv)
{
    int bits = argc > 1 ? atoi(argv[1]) : 26;
    if (bits < 18 || bits > 28)
        return 2;
    int n = 1 << bits;
    void *memory = malloc((size_t)n * 8), *other = malloc((size_t)n * 4), *out = malloc(ROWS * sizeof(float));
    if (!memory || !other || !out)
        return 1;
    floats(n, memory, other, out);
    doubles(n, memory);
    ints(n, memory);
    free(memory);
    free(other);
    free(out);
    return 0;
}
