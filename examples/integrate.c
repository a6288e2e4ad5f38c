// Adaptive integration: recursion inside of a region, and functions chosen through pointers. Every interval is refined by
// the thread that has it, as deep as the function asks for.
#include <math.h>
#include <stdio.h>

#pragma acc routine seq
static double bell(double x) { return exp(-x * x); }

#pragma acc routine seq
static double wave(double x) { return 1 + sin(20 * x) / 2; }

#pragma acc routine seq
static double peak(double x) { return 1 / (x * x + 0.001); }

#pragma acc routine seq
static double refine(double (*f)(double), double a, double fa, double b, double fb, int depth)
{
    double middle = (a + b) / 2, fm = f(middle);
    double coarse = (b - a) * (fa + fb) / 2, fine = (b - a) * (fa + 2 * fm + fb) / 4;
    if (depth == 0 || fabs(fine - coarse) < 1e-7 * (b - a))
        return fine;
    return refine(f, a, fa, middle, fm, depth - 1) + refine(f, middle, fm, b, fb, depth - 1);
}

int main(void)
{
    const int intervals = 64;
    static const char *const names[] = {"bell", "wave", "peak"};
    for (int which = 0; which < 3; which++) {
        double integral = 0;
#pragma acc parallel loop reduction(+ : integral)
        for (int i = 0; i < intervals; i++) {
            double (*f)(double) = which == 0 ? bell : which == 1 ? wave : peak;
            double a = -1 + 2.0 * i / intervals, b = -1 + 2.0 * (i + 1) / intervals;
            integral += refine(f, a, f(a), b, f(b), 20);
        }
        printf("%s %.5f\n", names[which], integral);
    }
    return 0;
}
