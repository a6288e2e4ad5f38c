// options: -fopenmp
// Declared reductions of arrays and sections, of loops that one thread of a device executes.
#include <stdio.h>

static void join(int *to, int value)
{
    *to = *to * 3 + value;
}

static void lesser(int *to, int value)
{
    *to = value < *to ? value : *to;
}

#pragma omp declare reduction(join : int : join(&omp_out, omp_in)) initializer(omp_priv = 1)
#pragma omp declare reduction(lesser : int : lesser(&omp_out, omp_in)) initializer(omp_priv = omp_orig)

static void section(int n, int *r, int *s)
{
#pragma omp target map(tofrom : r[0:n], s[0:n])
    {
#pragma omp simd reduction(join : r[1 : n - 2]) safelen(1)
        for (int k = 0; k < 7; k++)
            r[1 + k % (n - 2)] += k;
#pragma omp simd reduction(lesser : s[0:n]) safelen(1)
        for (int k = 0; k < 20; k++)
            lesser(&s[k % n], 40 - 3 * k);
    }
}

int main(void)
{
    int a[3] = { 2, 4, 3 }, one = 5, r[6] = { 9, 8, 7, 6, 5, 4 }, s[6] = { 1, 100, -5, 3, 20, 2 };
#pragma omp target map(tofrom : a, one)
    {
#pragma omp simd reduction(join : a) reduction(join : one) safelen(1)
        for (int k = 0; k < 7; k++) {
            a[k % 3] += k;
            one += k;
        }
    }
    printf("%d %d %d, %d\n", a[0], a[1], a[2], one);
    section(6, r, s);
    for (int i = 0; i < 6; i++)
        printf("%d %d\n", r[i], s[i]);
    int rows[4] = { 0, 0, 0, 0 };
#pragma omp target teams distribute map(tofrom : rows)
    for (int i = 0; i < 4; i++) {
        int own[2] = { i, 1 };
#pragma omp simd reduction(join : own) safelen(1)
        for (int k = 0; k < 5; k++)
            own[k & 1] += k;
#pragma omp simd reduction(join : own[0:2]) safelen(1)
        for (int k = 0; k < 3; k++)
            own[k & 1] += 1;
        rows[i] = own[0] * 100 + own[1];
    }
    printf("%d %d %d %d\n", rows[0], rows[1], rows[2], rows[3]);
}
