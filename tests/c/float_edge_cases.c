// Floating point: formats, rounding, conversions at the edges, comparison with NaN, zero signs, float against double.
#include <float.h>
#include <math.h>
#include <stdio.h>

static volatile double zero = 0, one = 1;
static volatile float third = 1.0f / 3;

int main(void)
{
    double nan = zero / zero, inf = one / zero;
    printf("%d %d %d %d %d %d\n", nan == nan, nan != nan, nan < 1, nan > 1, nan <= nan, !(nan >= nan));
    printf("%d %d %d\n", !!nan, nan ? 1 : 2, !zero);
    printf("%g %g %g\n", inf, -inf, inf - inf == 0 ? 1.0 : 2.0);
    printf("%g %g %d\n", -zero, 1 / -zero, -zero == zero);
    printf("%.9g %.17g\n", third, third);
    printf("%d %d\n", third == 1.0 / 3, third == (float)(1.0 / 3));
    printf("%.17g %.17g\n", 0.1 + 0.2, 0.1f + 0.2f);
    printf("%a %a %a\n", 1.0, 0.1, DBL_MIN / 4);
    printf("%g %g %g\n", DBL_MAX, DBL_MIN, DBL_EPSILON);
    printf("%g %g %g\n", FLT_MAX, FLT_MIN, FLT_TRUE_MIN);
    printf("%e %E %f %G\n", 12345.678, 0.00012, 1e15, 1e-10);
    printf("%+.3d|%8.3f|%-8.2e|%#x|%#o|% d|%05d\n", 5, 3.14159, 31415.9, 255, 8, 42, -42);
    printf("%.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, -0.5);
    printf("%d %d %d\n", (int)2.99, (int)-2.99, (int)1e9);
    printf("%ld %lu\n", (long)-1e18, (unsigned long)1.8e19);
    printf("%u %d\n", (unsigned)4e9, (short)12345.9);
    printf("%.1f %.1f\n", (double)18446744073709551615u, (double)-9223372036854775807L);
    printf("%.9g %.9g\n", (float)16777217, (float)0xffffffffu);
    printf("%.9g\n", (float)(1ull << 63 | 1ull << 39 | 1));
    float f = 1e38f;
    f *= 10;
    printf("%g\n", f);
    f = 1;
    for (int i = 0; i < 10; i++)
        f += FLT_EPSILON / 2;
    printf("%d\n", f == 1);
    double d = 0.5;
    d++;
    --d;
    d /= 3;
    printf("%.17g %.17g\n", d, -d);
    printf("%g %g %g %g\n", fmin(nan, 2), fmax(1, nan), fmod(-7, 3), copysign(3, -0.0));
    printf("%g %g %g %g\n", floor(-1.5), ceil(-1.5), trunc(-1.5), round(-1.5));
    printf("%d %d %d\n", isnan(nan) != 0, isinf(-inf) != 0, isfinite(one) != 0);
    printf("%.15g %.15g %.15g\n", sqrt(2), exp(1), sin(1));
    printf("%d\n", (one > zero) + (one >= one) * 2 + (zero < one) * 4);
    return 0;
}
