/* Running sums in bare `kernels`: N numbers, and as many in rows. Prints the microseconds of a construct, the median of RUNS,
   with the nanoseconds of an element, and whether the results are those of the host:

       accrue run --device cuda bench/gpu/scans.c */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RUNS = 11, N = 1 << 26, ROWS = 4096, COLUMNS = N / ROWS };

static double x[N], p[N];
static int a[N], b[N];

static void doubles_inclusive(void)
{
    double s = 0;
#pragma acc kernels present(x, p)
    for (int i = 0; i < N; i++) {
        s += x[i];
        p[i] = s;
    }
}

static void doubles_exclusive(void)
{
    double s = 0;
#pragma acc kernels present(x, p)
    for (int i = 0; i < N; i++) {
        p[i] = s;
        s += x[i];
    }
}

static void doubles_rows(void)
{
#pragma acc kernels present(x, p)
    for (int i = 0; i < ROWS; i++) {
        double s = 0;
        for (int j = 0; j < COLUMNS; j++) {
            s += x[i * COLUMNS + j];
            p[i * COLUMNS + j] = s;
        }
    }
}

static void ints_inclusive(void)
{
    int s = 0;
#pragma acc kernels present(a, b)
    for (int i = 0; i < N; i++) {
        s += a[i];
        b[i] = s;
    }
}

static void ints_exclusive(void)
{
    int s = 0;
#pragma acc kernels present(a, b)
    for (int i = 0; i < N; i++) {
        b[i] = s;
        s += a[i];
    }
}

static void ints_rows(void)
{
#pragma acc kernels present(a, b)
    for (int i = 0; i < ROWS; i++) {
        int s = 0;
        for (int j = 0; j < COLUMNS; j++) {
            s += a[i * COLUMNS + j];
            b[i * COLUMNS + j] = s;
        }
    }
}

/* Whether what the device has left is what is added up here. */
static int is_right(int is_double, int is_inclusive, int length)
{
    double s = 0;
    if (is_double) {
#pragma acc update self(p)
    } else {
#pragma acc update self(b)
    }
    for (int i = 0; i < N; i++) {
        s = i % length == 0 ? 0 : s;
        double before = s;
        s += is_double ? x[i] : a[i];
        if ((is_double ? p[i] : b[i]) != (is_inclusive ? s : before))
            return 0;
    }
    return 1;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static int ascending(const void *a, const void *b)
{
    double d = *(const double *)a - *(const double *)b;
    return (d > 0) - (d < 0);
}

static void measure(const char *name, void (*construct)(void), int is_double, int is_inclusive, int length)
{
    double times[RUNS];
    construct();
    for (int r = 0; r < RUNS; r++) {
        double start = now();
        construct();
        times[r] = now() - start;
    }
    qsort(times, RUNS, sizeof *times, ascending);
    double median = times[RUNS / 2];
    printf("%-18s %10.1f us %7.4f ns%s\n", name, median, median * 1e3 / N,
           is_right(is_double, is_inclusive, length) ? "" : "  WRONG");
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = (int)((i * 2654435761u) >> 24) - 128;
        x[i] = a[i];
    }
#pragma acc data copyin(x, a) create(p, b)
    {
        measure("doubles inclusive", doubles_inclusive, 1, 1, N);
        measure("doubles exclusive", doubles_exclusive, 1, 0, N);
        measure("doubles by rows", doubles_rows, 1, 1, COLUMNS);
        measure("ints inclusive", ints_inclusive, 0, 1, N);
        measure("ints exclusive", ints_exclusive, 0, 0, N);
        measure("ints by rows", ints_rows, 0, 1, COLUMNS);
    }
    return 0;
}
