/* The Fourier transform of n complex numbers, n a power of two. */
#include "../loops/timing.h"
#include <math.h>

typedef struct {
    double re, im;
} number;

number *input, *output, *roots;

void setup(long n)
{
    input = array(n, sizeof *input);
    output = array(n, sizeof *output);
    roots = array(n / 2, sizeof *roots);
    for (long i = 0; i < n; i++)
        input[i] = (number){i % 17, i % 5};
    for (long i = 0; i < n / 2; i++)
        roots[i] = (number){cos(6.283185307179586 * i / n), -sin(6.283185307179586 * i / n)};
}

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

double kernel(long n)
{
    for (unsigned long i = 0, j = 0; i < n; i++) {
        output[j] = input[i];
        unsigned long bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
    }
    for (long half = 1; half < n; half *= 2)
        for (long start = 0; start < n; start += 2 * half)
            for (long k = 0; k < half; k++) {
                number *low = &output[start + k], *high = low + half;
                number t = times(*high, roots[k * (n / (2 * half))]);
                *high = (number){low->re - t.re, low->im - t.im};
                *low = (number){low->re + t.re, low->im + t.im};
            }
    return output[1].re + output[n / 3].im;
}
