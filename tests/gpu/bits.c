// Sums and products of floats, as bits: with --deterministic, each run on one device prints the same. SIZE, ROWS and GANGS make it
// smaller.
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE 1000003
#define ROWS 300
#define GANGS 77
#endif

enum { N = SIZE };

static float f[N];
static double d[N];

int main(void)
{
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        f[i] = (state >> 8) / 16777216.0f - 0.5f;
        d[i] = (state >> 3) / 536870912.0 - 0.5;
    }
    float sum_f = 1, worker_f = 0, bins[7] = {0};
    double sum_d = 1, product = 1, vector_d = 0, kernels_d = 0;
    double complex sum_c = 0, product_c = 1;
#pragma acc data copyin(f, d)
    {
#pragma acc parallel loop reduction(+ : sum_f) reduction(+ : sum_d)
        for (int i = 0; i < N; i++) {
            sum_f += f[i];
            sum_d += d[i];
        }
#pragma acc parallel loop gang worker vector num_workers(32) vector_length(32) reduction(* : product)
        for (int i = 0; i < N; i++)
            product *= 1 + d[i] * 1e-3;
#pragma acc parallel loop gang num_gangs(GANGS) reduction(+ : worker_f)
        for (int r = 0; r < ROWS; r++)
#pragma acc loop worker vector reduction(+ : worker_f)
            for (int i = r; i < N; i += ROWS)
                worker_f += f[i] * f[i];
#pragma acc parallel loop gang vector vector_length(128) reduction(+ : vector_d)
        for (int i = 0; i < N; i++)
            vector_d += d[i] * f[i];
#pragma acc parallel loop reduction(+ : bins)
        for (int i = 0; i < N; i++)
            bins[i % 7] += f[i];
#pragma acc parallel loop reduction(+ : sum_c) reduction(* : product_c)
        for (int i = 0; i < N; i++) {
            sum_c += d[i] + f[i] * I;
            product_c *= 1 + d[i] * 1e-4 * I;
        }
#pragma acc kernels copy(kernels_d)
        {
#pragma acc loop independent reduction(+ : kernels_d)
            for (int i = 0; i < N; i++)
                kernels_d += d[i] * 3;
            kernels_d /= 7;
#pragma acc loop independent reduction(+ : kernels_d)
            for (int i = 0; i < N; i++)
                kernels_d += d[i];
        }
    }
    printf("%a %a %a %a %a %a\n", sum_f, sum_d, product, worker_f, vector_d, kernels_d);
    printf("%a %a %a %a\n", creal(sum_c), cimag(sum_c), creal(product_c), cimag(product_c));
    for (int i = 0; i < 7; i++)
        printf("%a ", bins[i]);
    printf("\n");
    return 0;
}
