// Places of minima and maxima: the first or the last one, none if nothing is better, and never that of a NaN.
#include "show.h"
#include <math.h>
#define N 300
static double d[N];
static int a[N], b[N];
static unsigned w[N];

static void places(int n, double start)
{
    double high = start, low = 1e30;
    int at = -1, row = -2, column = -3, where = -4;
#pragma acc kernels
    {
        for (int i = 0; i < n; i++) // expect: parallel: reduction max high, last at, last row, last column
            if (d[i] > high) {
                high = d[i];
                at = i;
                row = i / 10;
                column = b[i];
            }
        for (int i = n - 1; i >= 0; i -= 3) // expect: parallel: reduction min low, last where
            if (low >= d[i]) {
                low = d[i];
                where = i;
            }
    }
    printf("%g at %d (%d, %d), %g at %d\n", high, at, row, column, low, where);
}

static int unsigned_place(int n)
{
    unsigned most = 5;
    int at = -1;
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel: reduction max most, last at
        if (w[i] >= most) {
            most = w[i];
            at = i;
        }
    return at;
}

static int neighbour(int n)
{
    int most = -100000, before = -1;
#pragma acc kernels
    for (int i = 1; i < n; i++) // expect: sequential: scalar most
        if (a[i] > most) {
            before = most;
            most = a[i];
        }
    return before;
}

static int other_value(int n)
{
    int most = -100000, at = -1;
#pragma acc kernels
    for (int i = 1; i < n; i++) // expect: sequential: scalar most
        if (a[i] > most) {
            most = a[i] + (i & 1);
            at = i;
        }
    return at;
}

int main(void)
{
    fill(a, N, 91);
    fill(b, N, 92);
    for (int i = 0; i < N; i++) {
        d[i] = a[i] % 50 / 4.0;
        w[i] = (unsigned)a[i];
    }
    d[7] = d[150] = NAN;
    d[20] = -0.0;
    places(N, -1e30);
    places(N, 12.25);
    places(N, 1e30);
    places(N, NAN);
    places(1, -1e30);
    places(0, 3);
    for (int i = 0; i < N; i++)
        d[i] = i % 2 ? 0.0 : -0.0;
    places(N, -1);
    places(N, 0.0);
    for (int i = 0; i < N; i++)
        d[i] = NAN;
    places(N, -INFINITY);
    for (int i = 0; i < N; i++)
        d[i] = -INFINITY;
    places(N, -INFINITY);
    printf("%d %d %d %d\n", unsigned_place(N), unsigned_place(0), neighbour(N), other_value(N));
}
