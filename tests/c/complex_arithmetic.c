// Complex numbers: operators, parts, conversions, comparison, functions, infinities in products, imaginary literals.
#include <complex.h>
#include <math.h>
#include <stdio.h>

static void show(const char *what, double complex z) { printf("%s %.6g %.6g\n", what, creal(z), cimag(z)); }
static float complex rotate(float complex z, int n) { while (n--) z *= I; return z; }
static double complex pairs[2] = {1.0 + 2.0i, 3};
struct holder { char c; float complex z; };

int main(void)
{
    double complex a = 3 + 4 * I, b = 1 - 2 * I;
    float complex f = 1.5f + 2.5fi;
    show("sum", a + b);
    show("difference", a - b);
    show("product", a * b);
    show("quotient", a / b);
    show("real mix", 2 * a + 1);
    show("by real", a / 2);
    show("from real", 1 / a);
    show("negated", -a);
    show("conjugate", ~a);
    show("conj", conj(a));
    show("float", f * b);
    show("rotated", rotate(f, 3));
    show("array", pairs[0] * pairs[1]);
    printf("%g %g\n", __real__ a, __imag__ a);
    __real__ a = 10;
    __imag__ a += 1;
    show("parts set", a);
    a += b;
    a *= 2;
    a -= 1;
    a /= I;
    show("compound", a);
    printf("%d %d %d\n", a == a, a != b, (3 + 0i) == 3);
    printf("%d %d %d\n", !!(0.0 + 1i), !(0.0 + 0i), a && b);
    int n = (int)(7.9 + 100i);
    double d = 2.5 + 3i;
    _Bool t = 1i;
    printf("%d %g %d\n", n, d, t);
    printf("%.6f %.6f\n", cabs(3 + 4i), carg(1i));
    show("exp", cexp(I * 3.141592653589793 / 2));
    show("sqrt", csqrt(-4));
    show("pow", cpow(1 + I, 2) + 1);
    struct holder h = {1, 2 + 3i}, copy = h;
    printf("%zu %g %g\n", sizeof h, crealf(copy.z), cimagf(copy.z));
    float complex *p = &copy.z;
    ((float *)p)[1] = 9;
    printf("%g\n", cimagf(*p));
    double complex infinite = (INFINITY + 1i) * (2 + 1i);
    printf("%d\n", isinf(creal(infinite)) || isinf(cimag(infinite)));
    double complex chosen = n > 3 ? a : 1;
    show("chosen", chosen);
    show("pre", (a = b, a));
    return 0;
}
