// The larger and the smaller of two floating-point numbers by comparisons of every kind: zeros with signs and
// NaN go the way the comparison says.
#include <math.h>
#include <stdio.h>

#define EACH(X) X(<, lt) X(>, gt) X(<=, le) X(>=, ge)
#define DEFINE(op, name)                                                                                     \
    __attribute__((noinline)) static double first_##name(double a, double b) { return a op b ? a : b; }      \
    __attribute__((noinline)) static double second_##name(double a, double b) { return a op b ? b : a; }     \
    __attribute__((noinline)) static float kept_##name(const float *x, float limit)                          \
    {                                                                                                        \
        float found = x[0];                                                                                  \
        for (int i = 1; i < 4 && x[i] != limit; i++)                                                         \
            if (x[i] op found)                                                                               \
                found = x[i];                                                                                \
        return found;                                                                                        \
    }                                                                                                        \
    __attribute__((noinline)) static double unless_##name(double a, double b)                                \
    {                                                                                                        \
        double t = a - b;                                                                                    \
        if (!(t op 0.0))                                                                                     \
            t = 0.0;                                                                                         \
        return t;                                                                                            \
    }
EACH(DEFINE)

static double shown(double x) { return x == 0 ? copysign(1, x) : x; }

int main(void)
{
    const double numbers[] = {0.0, -0.0, 1.5, -2.5, NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
            double a = numbers[i], b = numbers[j];
            const float of[4] = {(float)a, (float)b, (float)-a, (float)-b};
#define SHOW(op, name)                                                                                       \
    printf(" %g %g %g %g", shown(first_##name(a, b)), copysign(3, second_##name(a, b)),                      \
           copysign(1, kept_##name(of, 7)) * isnan(kept_##name(of, 7)),                                      \
           isnan(unless_##name(a, b)) ? 9 : copysign(2, unless_##name(a, b)));
            printf("%g %g:", a, b);
            if (!isnan(a) && !isnan(b)) {
                EACH(SHOW)
            } else {
#define SHOW_NAN(op, name) printf(" %d %d", isnan(first_##name(a, b)), isnan(second_##name(a, b)));
                EACH(SHOW_NAN)
            }
            printf("\n");
        }
    return 0;
}
