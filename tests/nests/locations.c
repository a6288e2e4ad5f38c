// Several extrema with their places in one loop, and those over a part of the iterations only.
#include "show.h"
#include <math.h>
#define N 300
static int a[N], b[N];
static double d[N], e[N];

static void both(int n, double least, double most)
{
    double low = least, high = most;
    int of_low = -1, of_high = -2, last = -3;
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: parallel: reduction min low, last of_low, reduction max high, last of_high, last last
        if (d[i] < low) {
            low = d[i];
            of_low = i;
        }
        if (e[i] >= high) {
            high = e[i];
            of_high = i + 1;
        }
        if (a[i] % 7 == 0)
            last = b[i];
    }
    printf("%g at %d, %g at %d, %d\n", low, of_low, high, of_high, last);
}

static void of_some(int n, int from)
{
    double step = 1e20;
    int at = -1;
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: parallel: reduction min step, last at
        int k = a[i] & 255;
        if (b[i] > from && k != 3) {
            double t = d[i] * k + 1;
            if (t < step) {
                step = t;
                at = k;
            }
        }
    }
    printf("%g at %d\n", step, at);
#pragma acc kernels
    for (int i = n - 1; i >= 0; i--) { // expect: parallel: reduction min step, last at
        if (b[i] <= from)
            continue;
        if (d[i] <= step) {
            step = d[i];
            at = i;
        }
    }
    printf("%g at %d\n", step, at);
}

static void second(int n)
{
    int most = -100000, next = -100000;
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: sequential: scalar most
        if (a[i] > most) {
            next = most;
            most = a[i];
        } else if (a[i] > next)
            next = a[i];
    printf("%d %d\n", most, next);
}

static void in_turn(int n)
{
    int most = -100000, of_most = -1, least = 100000, of_least = -1;
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: sequential: scalar most
        if (a[i] > most) {
            most = a[i];
            of_most = i;
        } else if (a[i] < least) {
            least = a[i];
            of_least = i;
        }
    printf("%d at %d, %d at %d\n", most, of_most, least, of_least);
}

static void one_by_the_other(int n)
{
    int most = -100000, of_most = -1, least = 100000, of_least = -1;
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: sequential: scalar most
        if (a[i] > most) {
            most = a[i];
            of_most = i;
        }
        if (b[i] < least) {
            least = b[i];
            of_least = of_most;
        }
    }
    printf("%d at %d, %d at %d\n", most, of_most, least, of_least);
}

static void counted(int n)
{
    int most = -100000, of_most = -1, times = 0;
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: sequential: scalar most
        if (a[i] > most) {
            most = a[i];
            of_most = i;
            times = 1;
        } else if (a[i] == most)
            times++;
    printf("%d at %d, %d\n", most, of_most, times);
}

static void by_steps(int n, int step)
{
    int last = -1, most = -100000, at = -2;
#pragma acc kernels
    {
        for (int i = 0; i < n; i += step) // expect: sequential: scalar last
            if (a[i] & 1)
                last = i * 3;
        for (int i = 0; i < n; i += 2 * step) // expect: sequential: scalar most
            if (a[i] > most) {
                most = a[i];
                at = i;
            }
    }
    printf("%d, %d at %d\n", last, most, at);
}

int main(void)
{
    fill(a, N, 51);
    fill(b, N, 52);
    for (int i = 0; i < N; i++) {
        d[i] = a[i] % 40 / 4.0;
        e[i] = b[i] % 30 / 8.0;
    }
    d[3] = e[5] = d[200] = NAN;
    both(N, 1e9, -1e9);
    both(N, -8, 3.5);
    both(N, NAN, 1e9);
    both(1, 1e9, -1e9);
    both(0, 1, 2);
    of_some(N, 100);
    of_some(N, 100000);
    of_some(0, 0);
    second(N);
    in_turn(N);
    one_by_the_other(N);
    counted(N);
    by_steps(N, 7);
    by_steps(N, 61);
}
