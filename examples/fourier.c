// A fast Fourier transform: complex arithmetic and complex roots of unity inside of regions, stages in turn, butterflies in parallel.
#include <complex.h>
#include <math.h>
#include <stdio.h>

enum { BITS = 10, N = 1 << BITS };

static double complex a[N], b[N];

int main(void)
{
    double power = 0, error = 0;
    for (int i = 0; i < N; i++)
        a[i] = sin(2 * M_PI * 50 * i / N) + 0.5 * cos(2 * M_PI * 120 * i / N) + 0.25 * I;
    double complex *from = a, *to = b;
    for (int stage = 0; stage < BITS; stage++) {
        int half = N >> (stage + 1), stride = 1 << stage;
#pragma acc parallel loop collapse(2) copyin(from[0 : N]) copyout(to[0 : N])
        for (int p = 0; p < half; p++)
            for (int q = 0; q < stride; q++) {
                double complex root = cexp(-2 * M_PI * I * p / (2 * half));
                double complex u = from[q + stride * p], v = from[q + stride * (p + half)];
                to[q + stride * 2 * p] = u + v;
                to[q + stride * (2 * p + 1)] = (u - v) * root;
            }
        double complex *swap = from;
        from = to;
        to = swap;
    }
#pragma acc parallel loop copyin(from[0 : N]) reduction(+ : power) reduction(max : error)
    for (int i = 0; i < N; i++) {
        double magnitude = cabs(from[i]) / N;
        double expected = i == 0 ? 0.25 : i == 50 || i == N - 50 ? 0.5 : i == 120 || i == N - 120 ? 0.25 : 0;
        power += magnitude * magnitude;
        error = fmax(error, fabs(magnitude - expected));
    }
    printf("power %.6f, %s\n", power, error < 1e-12 ? "the spectrum is right" : "the spectrum is wrong");
    return 0;
}
