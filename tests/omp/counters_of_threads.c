// options: -fopenmp
// Loops of threads and of `simd` count in 64 bits; what their variables, of 32 or fewer bits, lead to is the same where several
// iterations are done at once: near the ends of `int`, of unsigned numbers, downwards, and with other steps.
#include <limits.h>
#include <stdio.h>

static float x[400], y[400];

static void clear(void)
{
    for (int i = 0; i < 400; i++) {
        x[i] = i % 37;
        y[i] = 0;
    }
}

static float weighed(void)
{
    float total = 0;
    for (int i = 0; i < 400; i++)
        total += (i % 5) * y[i];
    return total;
}

static void forwards(int first, long n)
{
#pragma omp parallel for num_threads(2)
    for (int i = first; i < n; i++)
        y[i] = 2 * x[i];
}

static void high(int first, long last, float *a)
{
#pragma omp simd
    for (int i = first; i < last; i++)
        a[i - (long)first] = x[i - (long)first] + 1;
}

static void natural(unsigned first, unsigned n)
{
#pragma omp simd
    for (unsigned i = first; i < n; i++)
        y[i - first] = x[i - first] + 2;
}

static void backwards(int n)
{
#pragma omp parallel for num_threads(2) schedule(static, 50)
    for (int i = n - 1; i >= 0; i--)
        y[i] = x[i] + x[399 - i];
}

static void strided(short n)
{
#pragma omp parallel for num_threads(2)
    for (short i = 3; i < n; i += 3)
        y[i] = x[i] - 1;
}

static void bytes(int n)
{
#pragma omp simd
    for (int i = 0; i < n; i++)
        y[(unsigned char)i] = x[i] * 3;
}

int main(void)
{
    clear();
    forwards(3, 390);
    printf("%g\n", weighed());
    clear();
    high(INT_MAX - 300, INT_MAX, y);
    printf("%g\n", weighed());
    clear();
    natural(UINT_MAX - 300, UINT_MAX);
    printf("%g\n", weighed());
    clear();
    backwards(400);
    printf("%g\n", weighed());
    clear();
    strided(399);
    printf("%g\n", weighed());
    clear();
    bytes(397);
    printf("%g\n", weighed());
    return 0;
}
