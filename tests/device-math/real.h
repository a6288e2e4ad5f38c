/* The rows of the real functions. */

static long double exact_nextafter(long double x, long double y) { return nextafter((double)x, (double)y); }
static long double exact_nextafterf(long double x, long double y) { return nextafterf((float)x, (float)y); }
static long double exact_fmin(long double x, long double y) { return fmin((double)x, (double)y); }
static long double exact_fmax(long double x, long double y) { return fmax((double)x, (double)y); }

/* glibc's is nearer to an infinity at times: that of zero is without its sign. */
static long double lgamma_reference(long double x) {
    int sign;
    return lgammal_r(x, &sign);
}

static double device_sine(double x) {
    double s, c;
    DEVICE(sincos)(x, &s, &c);
    return s;
}

static double device_cosine(double x) {
    double s, c;
    DEVICE(sincos)(x, &s, &c);
    return c;
}

static float device_sinef(float x) {
    float s, c;
    DEVICE(sincosf)(x, &s, &c);
    return s;
}

static float device_cosinef(float x) {
    float s, c;
    DEVICE(sincosf)(x, &s, &c);
    return c;
}

#define RANGES(...) ((const interval[INTERVALS]){__VA_ARGS__})
#define ONE(name, reference, bound, bound_float, ...)                                                     \
    check_double(#name, DEVICE(name), reference, bound, RANGES(__VA_ARGS__));                             \
    check_float(#name "f", DEVICE(name##f), reference, bound_float, RANGES(__VA_ARGS__))
#define TWO(name, reference, bound, bound_float, way)                                                     \
    check_double2(#name, DEVICE(name), reference, bound, way);                                            \
    check_float2(#name "f", DEVICE(name##f), reference, bound_float, way)

static void check_real_functions(void) {
    ONE(exp, expl, 0.6, 1.0, {-104, 89}, {-746, 710}, {-1, 1}, {-1e-6, 1e-6});
    ONE(exp2, exp2l, 0.6, 1.0, {-150, 128}, {-1080, 1024}, {-1, 1});
    ONE(exp10, exp10l, 0.6, 1.0, {-46, 39}, {-324, 309}, {-1, 1});
    ONE(expm1, expm1l, 1.0, 1.5, {-1, 1}, {-40, 90}, {-0.5, 0.5}, {1e-10, 710});
    ONE(log, logl, 0.7, 1.0, {0.5, 2}, {0.99, 1.01}, {1e-300, 1e300}, {0.01, 100});
    ONE(log2, log2l, 0.7, 1.0, {0.5, 2}, {0.99, 1.01}, {1e-300, 1e300}, {0.01, 100});
    ONE(log10, log10l, 0.7, 1.2, {0.5, 2}, {0.99, 1.01}, {1e-300, 1e300}, {0.01, 100});
    ONE(log1p, log1pl, 0.7, 1.2, {-0.5, 1}, {-0.999, 10}, {1e-300, 1e300}, {-0.01, 0.01});
    TWO(pow, powl, 0.7, 0.6, POWER);
    ONE(sin, sinl, 1.0, 1.6, {-10, 10}, {-1e6, 1e6}, {1e-5, 1e30}, {-0.8, 0.8});
    ONE(cos, cosl, 1.0, 1.6, {-10, 10}, {-1e6, 1e6}, {1e-5, 1e30}, {-0.8, 0.8});
    ONE(tan, tanl, 1.0, 2.0, {-10, 10}, {-1e6, 1e6}, {1e-5, 1e30}, {-0.8, 0.8});
    check_double("sincos:sin", device_sine, sinl, 1.0, RANGES({-10, 10}, {1e-5, 1e30}));
    check_double("sincos:cos", device_cosine, cosl, 1.0, RANGES({-10, 10}, {1e-5, 1e30}));
    check_float("sincosf:sin", device_sinef, sinl, 1.6, RANGES({-10, 10}, {1e-5, 1e30}));
    check_float("sincosf:cos", device_cosinef, cosl, 1.6, RANGES({-10, 10}, {1e-5, 1e30}));
    ONE(asin, asinl, 1.0, 1.5, {-1, 1}, {-0.5, 0.5}, {0.4, 0.6}, {0.9, 1});
    ONE(acos, acosl, 1.0, 1.5, {-1, 1}, {-0.5, 0.5}, {0.4, 0.6}, {0.9, 1});
    ONE(atan, atanl, 1.0, 1.0, {-1, 1}, {-5, 5}, {0.3, 0.5}, {1e-5, 1e20});
    TWO(atan2, atan2l, 1.0, 1.0, ALIKE);
    ONE(sinh, sinhl, 1.0, 1.0, {-2, 2}, {-710.5, 710.5}, {-90, 90}, {0.9, 1.1});
    ONE(cosh, coshl, 1.0, 1.0, {-2, 2}, {-710.5, 710.5}, {-90, 90}, {0.9, 1.1});
    ONE(tanh, tanhl, 1.5, 1.5, {-1, 1}, {-20, 20}, {0.4, 0.7}, {-0.1, 0.1});
    ONE(asinh, asinhl, 1.0, 1.0, {-1, 1}, {-20, 20}, {0.4, 0.7}, {1e-5, 1e50});
    ONE(acosh, acoshl, 1.0, 1.0, {1, 2}, {1, 1.01}, {1, 50}, {1, 1e50});
    ONE(atanh, atanhl, 1.0, 1.0, {-1, 1}, {-0.2, 0.2}, {0.9, 1}, {0.1, 0.6});
    ONE(sqrt, sqrtl, 0.501, 0.501, {0, 10});
    ONE(cbrt, cbrtl, 0.7, 0.8, {-10, 10}, {0.1, 8});
    TWO(hypot, hypotl, 0.7, 0.51, ALIKE);
    ONE(erf, erfl, 1.0, 1.5, {-1, 1}, {-6, 6}, {0.9, 1.1}, {1e-300, 1});
    ONE(erfc, erfcl, 1.5, 0.6, {-1, 1}, {-6, 6}, {0.4, 27}, {5, 28});
    ONE(tgamma, tgammal, 1.0, 0.6, {-10, 10}, {0.1, 171.6}, {-184, -1}, {1e-10, 3});
    ONE(lgamma, lgamma_reference, 1.5, 0.6, {0.1, 10}, {0.7, 2.5}, {1e-300, 1e300}, {2, 200});

    ONE(fabs, fabsl, 0, 0, {-10, 10});
    ONE(floor, floorl, 0, 0, {-10, 10}, {-1e16, 1e16}, {-1e7, 1e7});
    ONE(ceil, ceill, 0, 0, {-10, 10}, {-1e16, 1e16}, {-1e7, 1e7});
    ONE(trunc, truncl, 0, 0, {-10, 10}, {-1e16, 1e16}, {-1e7, 1e7});
    ONE(rint, rintl, 0, 0, {-10, 10}, {-1e16, 1e16}, {-1e7, 1e7});
    ONE(nearbyint, nearbyintl, 0, 0, {-10, 10}, {-1e16, 1e16}, {-1e7, 1e7});
    ONE(round, roundl, 0, 0, {-10, 10}, {-1e16, 1e16}, {-1e7, 1e7});
    ONE(roundeven, rintl, 0, 0, {-10, 10}, {-1e16, 1e16}, {-1e7, 1e7});
    ONE(logb, logbl, 0, 0, {-10, 10});
    TWO(fmod, fmodl, 0, 0, ALIKE);
    TWO(remainder, remainderl, 0, 0, ALIKE);
    TWO(drem, remainderl, 0, 0, ALIKE);
    TWO(fdim, fdiml, 0.501, 0.501, ALIKE);
    TWO(copysign, copysignl, 0, 0, APART);
    TWO(fmin, exact_fmin, 0, 0, ALIKE);
    TWO(fmax, exact_fmax, 0, 0, ALIKE);
    check_double2("nextafter", DEVICE(nextafter), exact_nextafter, 0, ALIKE);
    check_float2("nextafterf", DEVICE(nextafterf), exact_nextafterf, 0, ALIKE);
}
