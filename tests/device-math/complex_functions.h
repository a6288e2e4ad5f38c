/* Complex functions. An error is the distance from the reference in ulp of its larger part; parts that are zero,
   infinite or no number are compared by class, and by sign. */

#include <complex.h>

typedef double _Complex (*complex_function)(double _Complex);
typedef float _Complex (*complex_functionf)(float _Complex);

typedef struct {
    long double real;
    long double imaginary;
} reference;

typedef reference (*complex_reference)(long double, long double);

static const double complex_special[] = {
    0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, 2.5, -2.5, 0.5, 1e-300, -1e300, 1e300, 30.0, -800.0, 710.0, 0x1.fffffffffffffp-1,
};

#define COMPLEX_SPECIALS ((long)(sizeof complex_special / sizeof *complex_special))

static int is_ordinary(long double x) { return isfinite(x) && x != 0.0L; }

static double larger_ulp(reference expected, int digits, int least) {
    long double size = fmaxl(isfinite(expected.real) ? fabsl(expected.real) : 0.0L,
                             isfinite(expected.imaginary) ? fabsl(expected.imaginary) : 0.0L);
    int exponent;
    (void)frexpl(size, &exponent);
    exponent -= digits;
    return ldexp(1.0, exponent < least ? least : exponent);
}

/* Where something is no number, Annex G leaves most signs open. */
static double part_error(double got, long double expected, double unit, long double limit, int signs_matter) {
    if (isnan(expected) || isnan(got)) return isnan(expected) && isnan(got) ? 0.0 : NOTHING_LIKE_IT;
    if (!signs_matter) {
        got = fabs(got);
        expected = fabsl(expected);
    }
    if (fabsl(expected) >= limit) expected = copysignl(INFINITY, expected);
    if (isinf(expected) || isinf(got)) return got == expected ? 0.0 : NOTHING_LIKE_IT;
    if (expected == 0.0L && !(got == 0.0 && !signbit(got) == !signbit(expected))) return NOTHING_LIKE_IT;
    return (double)(fabsl(got - expected) / unit);
}

static double complex_error(double _Complex got, reference expected, int signs_matter) {
    double unit = larger_ulp(expected, 53, -1074);
    long double limit = 0x1.fffffffffffff8p1023L;
    signs_matter = signs_matter && !isnan(expected.real) && !isnan(expected.imaginary);
    return fmax(part_error(creal(got), expected.real, unit, limit, signs_matter),
                part_error(cimag(got), expected.imaginary, unit, limit, signs_matter));
}

static double complex_errorf(float _Complex got, reference expected) {
    double unit = larger_ulp(expected, 24, -149);
    long double limit = 0x1.ffffffp127L;
    return fmax(part_error(crealf(got), expected.real, unit, limit, 1), part_error(cimagf(got), expected.imaginary, unit, limit, 1));
}

static double complex_part(long i) {
    double sign = random_bits() >> 63 ? -1.0 : 1.0;
    switch (i % 4) {
    case 0: return sign * exp2(random_unit() * 40.0 - 30.0);
    case 1: return sign * (1.0 + (random_unit() - 0.5) * exp2(-30.0 * random_unit()));
    default: return (random_unit() - 0.5) * 12.0;
    }
}

static double listed_or_random(long i, int which) {
    if (i < COMPLEX_SPECIALS * COMPLEX_SPECIALS) {
        return complex_special[which ? i % COMPLEX_SPECIALS : i / COMPLEX_SPECIALS];
    }
    return complex_part(which ? (long)(random_bits() >> 8) : i);
}

static void check_complex(const char *name, complex_function function, complex_reference expected, double bound) {
    finding found = {name, 0, 0.0, 0.0, 0.0};
    for (long i = 0; i < COMPLEX_SPECIALS * COMPLEX_SPECIALS + samples; i++) {
        double x = listed_or_random(i, 0);
        double y = listed_or_random(i, 1);
        note(&found, complex_error(function(make_complex(x, y)), expected(x, y), !isnan(x) && !isnan(y)), x, y);
    }
    report(&found, bound, 2);
}

static void check_complexf(const char *name, complex_functionf function, complex_function expected, double bound) {
    finding found = {name, 0, 0.0, 0.0, 0.0};
    for (long i = 0; i < COMPLEX_SPECIALS * COMPLEX_SPECIALS + samples; i++) {
        float x = (float)listed_or_random(i, 0);
        float y = (float)listed_or_random(i, 1);
        double _Complex wide = expected(make_complex(x, y));
        reference both = {creal(wide), cimag(wide)};
        note(&found, complex_errorf(function(make_complexf(x, y)), both), x, y);
    }
    report(&found, bound, 2);
}

/* References in long double where the real functions give them without cancellation, for ordinary arguments; the
   host's complex functions otherwise. */

#define HOST(function)                                                     \
    do {                                                                   \
        double _Complex host = function(make_complex((double)x, (double)y)); \
        return (reference){creal(host), cimag(host)};                      \
    } while (0)

static reference ref_cexp(long double x, long double y) {
    if (!is_ordinary(x) || !is_ordinary(y)) HOST(cexp);
    return (reference){expl(x) * cosl(y), expl(x) * sinl(y)};
}

static reference ref_clog(long double x, long double y) {
    if (!is_ordinary(x) || !is_ordinary(y)) HOST(clog);
    long double size = hypotl(x, y);
    long double larger = fmaxl(fabsl(x), fabsl(y)), smaller = fminl(fabsl(x), fabsl(y));
    long double real = logl(size);
    if (size > 0.5L && size < 2.0L) real = 0.5L * log1pl((larger - 1.0L) * (larger + 1.0L) + smaller * smaller);
    return (reference){real, atan2l(y, x)};
}

static reference ref_csqrt(long double x, long double y) {
    if (!is_ordinary(x) || !is_ordinary(y)) HOST(csqrt);
    long double root = sqrtl(0.5L * (fabsl(x) + hypotl(x, y)));
    long double other = fabsl(y) / (2.0L * root);
    return x > 0.0L ? (reference){root, copysignl(other, y)} : (reference){other, copysignl(root, y)};
}

static reference ref_csinh(long double x, long double y) {
    if (!is_ordinary(x) || !is_ordinary(y)) HOST(csinh);
    return (reference){sinhl(x) * cosl(y), coshl(x) * sinl(y)};
}

static reference ref_ccosh(long double x, long double y) {
    if (!is_ordinary(x) || !is_ordinary(y)) HOST(ccosh);
    return (reference){coshl(x) * cosl(y), sinhl(x) * sinl(y)};
}

static reference ref_ctanh(long double x, long double y) {
    if (!is_ordinary(x) || !is_ordinary(y) || fabsl(x) > 300.0L) HOST(ctanh);
    long double divisor = sinhl(x) * sinhl(x) + cosl(y) * cosl(y);
    return (reference){sinhl(x) * coshl(x) / divisor, sinl(y) * cosl(y) / divisor};
}

static reference ref_csin(long double x, long double y) {
    if (!is_ordinary(x) || !is_ordinary(y)) HOST(csin);
    return (reference){sinl(x) * coshl(y), cosl(x) * sinhl(y)};
}

static reference ref_ccos(long double x, long double y) {
    if (!is_ordinary(x) || !is_ordinary(y)) HOST(ccos);
    return (reference){cosl(x) * coshl(y), -sinl(x) * sinhl(y)};
}

static reference ref_ctan(long double x, long double y) {
    if (!is_ordinary(x) || !is_ordinary(y) || fabsl(y) > 300.0L) HOST(ctan);
    long double divisor = sinhl(y) * sinhl(y) + cosl(x) * cosl(x);
    return (reference){sinl(x) * cosl(x) / divisor, sinhl(y) * coshl(y) / divisor};
}

static reference ref_casin(long double x, long double y) { HOST(casin); }
static reference ref_cacos(long double x, long double y) { HOST(cacos); }
static reference ref_catan(long double x, long double y) { HOST(catan); }
static reference ref_casinh(long double x, long double y) { HOST(casinh); }
static reference ref_cacosh(long double x, long double y) { HOST(cacosh); }
static reference ref_catanh(long double x, long double y) { HOST(catanh); }
static reference ref_cproj(long double x, long double y) { HOST(cproj); }
static reference ref_conj(long double x, long double y) { HOST(conj); }
static reference ref_clog10(long double x, long double y) {
    reference natural = ref_clog(x, y);
    return (reference){natural.real / logl(10.0L), natural.imaginary / logl(10.0L)};
}

/* z^w for exponents of moderate size, against exp(w log(z)) in long double. */
static void check_cpow(void) {
    finding found = {"cpow", 0, 0.0, 0.0, 0.0};
    for (long i = 0; i < samples; i++) {
        double x = complex_part(i), y = complex_part((long)(random_bits() >> 8));
        double u = (random_unit() - 0.5) * 8.0, v = (random_unit() - 0.5) * 8.0;
        reference logarithm = ref_clog(x, y);
        long double real = u * logarithm.real - v * logarithm.imaginary;
        long double imaginary = u * logarithm.imaginary + v * logarithm.real;
        double error = complex_error(DEVICE(cpow)(make_complex(x, y), make_complex(u, v)), ref_cexp(real, imaginary), 1);
        note(&found, error / (1.0 + hypot((double)real, (double)imaginary)), x, y);
    }
    report(&found, 4.0, 2);
}

#define COMPLEX(name, bound)                                            \
    check_complex(#name, DEVICE(name), ref_##name, bound);              \
    check_complexf(#name "f", DEVICE(name##f), DEVICE(name), 0.501)

static void check_complex_functions(void) {
    COMPLEX(cexp, 2.5);
    COMPLEX(clog, 2);
    COMPLEX(clog10, 2.5);
    COMPLEX(csqrt, 2);
    COMPLEX(csin, 2.8);
    COMPLEX(ccos, 2.8);
    COMPLEX(ctan, 4.5);
    COMPLEX(csinh, 2.5);
    COMPLEX(ccosh, 2.8);
    COMPLEX(ctanh, 4.5);
    COMPLEX(casin, 6);
    COMPLEX(cacos, 6);
    COMPLEX(catan, 6);
    COMPLEX(casinh, 6);
    COMPLEX(cacosh, 6);
    COMPLEX(catanh, 6);
    COMPLEX(cproj, 0);
    COMPLEX(conj, 0);
    check_cpow();
}
