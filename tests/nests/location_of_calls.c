// Minima and maxima with their places, and values under a condition, of what functions compute that write nothing.
#include "show.h"
#include <math.h>
#include <stdlib.h>
#define N 307
static int a[N], table[64];
static double x[N];

__attribute__((noinline)) static int looked_up(int value)
{
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += table[(value + i) & 63];
    return sum;
}

static int calls;

__attribute__((noinline)) static int counted(int value)
{
    calls++;
    return value * 7 % 61;
}

int main(void)
{
    int most = -1, at = -1, least = 1 << 20, first = -1, last = -1, seen = -1;
    double best = -1e9, value = 0, other = 0;
    int where = -1;
    fill(a, N, 11);
    fill(table, 64, 12);
    for (int i = 0; i < N; i++)
        x[i] = a[i] % 100 * 0.0625;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) { // expect: parallel: private distance, reduction min least, last first
            int distance = abs(a[i] - 50);
            if (least > distance) {
                first = i;
                least = distance;
            }
        }
        for (int i = 0; i < N; i++) { // expect: parallel: private power, reduction max best, last where, last value
            double power = exp(-x[i] * x[i]) + x[i];
            if (power > best) {
                best = power;
                where = i;
                value = x[i];
            }
        }
        for (int i = 0; i < N; i++) { // expect: parallel: last last, last other
            if (fmod(x[i], 1.5) < 0.25) {
                last = i;
                other = floor(x[i]);
            }
        }
    }
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel: private found, reduction max most, last at
        int found = looked_up(a[i]);
        if (found > most) {
            most = found;
            at = i;
        }
    }
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: sequential: call
        int found = counted(a[i] & 255);
        if (found > seen)
            seen = found;
    }
    int numbers[] = { least, first, where, last, most, at, seen, calls, (int)value, (int)other };
    for (int i = 0; i < 10; i++)
        printf("%d ", numbers[i]);
    printf("%.10g %.10g\n", value, other);
    return 0;
}
