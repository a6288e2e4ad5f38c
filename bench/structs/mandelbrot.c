/* A picture of n points of Mandelbrot's set: complex numbers as structures, functions of them. */
#include "../loops/timing.h"
#include <math.h>

typedef struct {
    double re, im;
} number;

static number add(number a, number b)
{
    return (number){a.re + b.re, a.im + b.im};
}

static number square(number a)
{
    return (number){a.re * a.re - a.im * a.im, 2 * a.re * a.im};
}

static double norm2(number a)
{
    return a.re * a.re + a.im * a.im;
}

static int steps(number c)
{
    number z = {0, 0};
    int n = 0;
    while (n < 200 && norm2(z) < 4) {
        z = add(square(z), c);
        n++;
    }
    return n;
}

/* What is not known keeps compilers from taking the repetitions for one. */
long last;

void setup(long n)
{
    last = n;
}

double kernel(long n)
{
    long width = (long)sqrt(n), sum = 0;
    for (long i = 0; i < width; i++)
        for (long j = 0; j < width; j++)
            sum += steps((number){j * 3.0 / width - 2, i * 2.0 / width - 1});
    last = sum;
    return last;
}
