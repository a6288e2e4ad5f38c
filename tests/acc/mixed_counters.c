// Loops whose `int` counter is compared with a number of 64 bits: pointers that no clause names are mapped, loops of `auto` are
// judged, and bounds that no `int` has let no iteration run, or all of those that the variable can come to.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

struct size {
    long rows, columns;
};

static int failures;

static void expect(const char *what, double found, double wanted)
{
    if (found != wanted) {
        printf("%s: %g instead of %g\n", what, found, wanted);
        failures++;
    }
}

static double sum(const double *a, int n)
{
    double total = 0;
    for (int i = 0; i < n; i++)
        total += a[i];
    return total;
}

static void scale(const double *a, double *b, long n)
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        b[i] = 2 * a[i];
}

static void scale_natural(const double *a, double *b, size_t n)
{
#pragma acc parallel loop copyout(b[:n])
    for (int i = 0; i < n; i++)
        b[i] = 2 * a[i];
}

static void scale_of_array(const double *a, double *b, long n)
{
    long dims[1] = {n};
#pragma acc parallel loop copyout(b[:dims[0]])
    for (int i = 0; i < dims[0]; i++)
        b[i] = 2 * a[i];
}

static void scale_rows(const double *a, double *b, struct size s)
{
#pragma acc kernels loop
    for (int i = 0; i < s.rows; i++)
#pragma acc loop
        for (int j = 0; j < s.columns; j++)
            b[i * s.columns + j] = 2 * a[i * s.columns + j];
}

static void scale_inclusive(const double *a, double *b, long last)
{
#pragma acc parallel loop auto
    for (int i = 0; i <= last; i++)
        b[i] = 2 * a[i];
}

static int count(int first, long bound)
{
    int n = 0;
#pragma acc parallel loop reduction(+ : n)
    for (int i = first; i < bound; i++)
        n++;
    return n;
}

static int count_inclusive(long bound)
{
    int n = 0;
#pragma acc parallel loop reduction(+ : n)
    for (int i = INT_MIN + 1; i <= bound; i += 1 << 29)
        n++;
    return n;
}

static int count_natural(unsigned long bound)
{
    int n = 0;
#pragma acc parallel loop reduction(+ : n)
    for (int i = 3; i < bound; i += 2)
        n++;
    return n;
}

// The variable is what the comparison makes of it: no iteration begins below zero.
static int count_from(int first, unsigned long bound)
{
    int n = 0;
#pragma acc parallel loop reduction(+ : n)
    for (int i = first; i < bound; i++)
        n++;
    return n;
}

int main(void)
{
    int n = 600;
    double *a = malloc(n * sizeof *a), *b = calloc(n, sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = i % 9;
    double whole = 2 * sum(a, n);
    struct size s = {20, 30};
    scale(a, b, n);
    expect("long", sum(b, n), whole);
    scale_natural(b, a, n);
    expect("size_t", sum(a, n), 2 * whole);
    scale_of_array(a, b, n);
    expect("array", sum(b, n), 4 * whole);
    scale_rows(b, a, s);
    expect("rows", sum(a, n), 8 * whole);
    scale_inclusive(a, b, n - 1);
    expect("inclusive", sum(b, n), 16 * whole);
    long far = (long)INT_MIN * 4;
    expect("below every int", count(0, far), 0);
    expect("at the least int", count(INT_MIN, far), 0);
    expect("from the least int", count(INT_MIN, INT_MIN + 7L), 7);
    expect("up to the greatest int", count(INT_MAX - 5, INT_MAX), 5);
    expect("inclusive, below every int", count_inclusive(far), 0);
    expect("inclusive", count_inclusive(INT_MIN + (3L << 29)), 3);
    expect("natural", count_natural(10), 4);
    expect("from below zero", count_from(-1, 10), 0);
    expect("from zero", count_from(0, 10), 10);
    printf("%d failures\n", failures);
    free(a);
    free(b);
    return failures != 0;
}
