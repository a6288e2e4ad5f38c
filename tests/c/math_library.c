// The mathematics library in double and float, and the generic macros.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tgmath.h>

int main(void)
{
    volatile double x = 0.75;
    volatile float f = 0.75f;
    printf("%.12f %.12f %.12f\n", sin(x), cos(x), tan(x));
    printf("%.12f %.12f %.12f %.12f\n", asin(x), acos(x), atan(x), atan2(x, -2));
    printf("%.12f %.12f %.12f\n", sinh(x), cosh(x), tanh(x));
    printf("%.12f %.12f %.12f %.12f\n", exp(x), exp2(x), expm1(x), log(x));
    printf("%.12f %.12f %.12f\n", log2(x), log10(x), log1p(x));
    printf("%.12f %.12f %.12f\n", sqrt(x), cbrt(x), hypot(x, 1));
    printf("%.12f %.12f %.12f\n", pow(x, 2.5), erf(x), tgamma(x + 4));
    printf("%.6f %.6f %zu\n", sinf(f), sqrtf(f), sizeof sin(f));
    printf("%g %g %g %g\n", floor(-x), ceil(x), rint(2.5), nearbyint(3.5));
    printf("%ld %lld %ld\n", lround(2.5), llround(-2.5), lrint(x));
    int e;
    double whole, part = modf(-3.25, &whole), m = frexp(20, &e);
    printf("%g %g %g %d %g\n", part, whole, m, e, ldexp(m, 3));
    printf("%g %g %g\n", remainder(7, 4), fdim(3, 5), fma(2, 3, 4));
    printf("%d %d %d\n", isgreater(x, 1) != 0, isunordered(x, NAN) != 0, fpclassify(0.0) == FP_ZERO);
    printf("%g %d %d\n", nextafter(1, 2) - 1, ilogb(1000), signbit(-x) != 0);
    printf("%.4f %d %ld\n", fabs(-x), abs(-3), labs(-4L));
    div_t d = div(17, 5);
    ldiv_t l = ldiv(-17, 5);
    printf("%d %d %ld %ld\n", d.quot, d.rem, l.quot, l.rem);
    return 0;
}
