// Floating-point numbers that live across calls, and where they are used: behind them, in loops, in neither.
#include <math.h>
#include <setjmp.h>
#include <stdio.h>

static int calls;

__attribute__((noinline)) static double call(double x)
{
    calls++;
    return x * 0.5 + calls;
}

/* Loops between the calls use none of these numbers, one of them, all of them. */
static double between(const double *a, int n, double kept, float narrow)
{
    double best = 1e300, last = 0;
    for (int round = 0; round < 4; round++) {
        double before = call(kept);
        int places = 0;
        for (int i = 0; i < n; i++)
            places += a[i] > 2;
        double scaled = 0;
        for (int i = 0; i < n; i++)
            scaled += a[i] * kept;
        double after = call(before) - before;
        if (after < best)
            best = after;
        last = scaled + places + narrow;
    }
    return best * 1000 + last;
}

/* The call is rare. */
static double rarely(const double *a, int n)
{
    double s = 0, limit = 7.5;
    for (int i = 0; i < n; i++) {
        if (a[i] > limit)
            limit = call(limit);
        s += a[i] * limit;
    }
    return s + limit;
}

/* A number that is assigned on one way only, none if there is no iteration. */
static double chosen(int n, double start)
{
    double x = start, y = NAN;
    for (int i = 0; i < n; i++) {
        y = call(x);
        if (i & 1)
            x = y;
    }
    return isnan(y) ? -1 : x + y;
}

/* Arithmetic in front of a call whose result only the code behind needs. */
static double later(const double *a, int n)
{
    double s = -0.0;
    for (int i = 0; i < n; i++)
        s += a[i];
    double product = s * 3, quotient = s / 7;
    double got = call(1);
    return got > 0 ? product - quotient : signbit(s);
}

static double given(double a, double b, double c, double d)
{
    call(a);
    double x = a - b;
    call(b);
    return call(c) + x * d + a;
}

static jmp_buf back;

static double returns_twice(double x)
{
    volatile double seen = x;
    double kept = x * 3;
    if (setjmp(back) == 0) {
        seen = call(x);
        longjmp(back, 1);
    }
    return kept + seen;
}

int main(void)
{
    double a[12];
    for (int i = 0; i < 12; i++)
        a[i] = i * 0.75 + 0.25;
    printf("%.17g\n", between(a, 12, 1.5, 0.1f));
    printf("%.17g\n", between(a, 0, 1.5, 0.1f));
    printf("%.17g %.17g\n", rarely(a, 12), rarely(a, 0));
    printf("%.17g %.17g\n", chosen(5, 2), chosen(0, 2));
    printf("%.17g %.17g\n", later(a, 12), later(a, 0));
    printf("%.17g\n", given(1, 2, 3, 4));
    printf("%.17g\n", returns_twice(2.5));
    return 0;
}
