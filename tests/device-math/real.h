/* The rows of the real functions. */

static long double exact_nextafter(long double x, long double y) { return nextafter((double)x, (double)y); }
static long double exact_nextafterf(long double x, long double y) { return nextafterf((float)x, (float)y); }

/* Which zero is the lesser one is open: the sum makes both positive. */
static double plain_fmin(double x, double y) { return DEVICE(fmin)(x, y) + 0.0; }
static double plain_fmax(double x, double y) { return DEVICE(fmax)(x, y) + 0.0; }
static float plain_fminf(float x, float y) { return DEVICE(fminf)(x, y) + 0.0f; }
static float plain_fmaxf(float x, float y) { return DEVICE(fmaxf)(x, y) + 0.0f; }
static long double exact_fmin(long double x, long double y) { return fminl(x, y) + 0.0L; }
static long double exact_fmax(long double x, long double y) { return fmaxl(x, y) + 0.0L; }

/* glibc's powl takes -2^63 for an odd number. */
static long double pow_reference(long double x, long double y) {
    return fabsl(y) >= 0x1p53L ? powl(fabsl(x), y) : powl(x, y);
}

/* Without the global variable that lgammal sets. */
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

/* The numbers closest to multiples of pi/2, where the reduced angle is what cancellation leaves. */
static double near_quarter_turn(long i, int digits) {
    double multiple = floor(exp2(random_unit() * (i % 2 ? 20.0 : digits - 1)));
    long double turn = (long double)multiple * 1.57079632679489661923132169163975144L;
    double x = digits == 24 ? (double)(float)turn : (double)turn;
    return i % 3 ? x : -x;
}

static void check_quarter_turn(const char *name, double (*function)(double), float (*functionf)(float),
                               long double (*reference)(long double), double bound) {
    char label[32];
    finding found = {label, 0, 0.0, 0.0, 0.0};
    snprintf(label, sizeof label, "%s:turns", name);
    for (long i = 0; i < samples; i++) {
        if (function) {
            double x = near_quarter_turn(i, 53);
            note(&found, error_double(function(x), reference(x)), x, 0.0);
        } else {
            float x = (float)near_quarter_turn(i, 24);
            note(&found, error_float(functionf(x), reference(x)), x, 0.0);
        }
    }
    report(&found, bound, 1);
}

static void check_quarter_turns(void) {
    check_quarter_turn("sin", DEVICE(sin), NULL, sinl, 1.6);
    check_quarter_turn("cos", DEVICE(cos), NULL, cosl, 1.6);
    check_quarter_turn("tan", DEVICE(tan), NULL, tanl, 1.0);
    check_quarter_turn("sinf", NULL, DEVICE(sinf), sinl, 1.6);
    check_quarter_turn("cosf", NULL, DEVICE(cosf), cosl, 1.6);
    check_quarter_turn("tanf", NULL, DEVICE(tanf), tanl, 1.5);
}

/* Between the poles, lgamma has zeros at places that are no numbers: the error is counted in ulp of 1 there. */
static void check_negative_lgamma(void) {
    finding found = {"lgamma:-", 0, 0.0, 0.0, 0.0};
    for (long i = 0; i < samples; i++) {
        double x = -random_unit() * (i % 2 ? 5.0 : 200.0);
        long double expected = lgamma_reference(x);
        double got = DEVICE(lgamma)(x);
        double error = fabsl(expected) < 1.0L ? (double)fabsl(got - expected) * 0x1p53 : error_double(got, expected);
        note(&found, error, x, 0.0);
    }
    report(&found, 1.5, 1);
}

static void check_real_functions(void) {
    ONE(exp, expl, 1.1, 1.2, {-104, 89}, {-746, 710}, {-1, 1}, {-1e-6, 1e-6});
    ONE(exp2, exp2l, 0.8, 1.1, {-150, 128}, {-1080, 1024}, {-1, 1});
    ONE(exp10, exp10l, 0.8, 1.2, {-46, 39}, {-324, 309}, {-1, 1});
    ONE(expm1, expm1l, 1.1, 1.6, {-1, 1}, {-40, 90}, {-0.5, 0.5}, {1e-10, 710});
    ONE(log, logl, 1.0, 1.6, {0.5, 2}, {0.99, 1.01}, {1e-300, 1e300}, {0.01, 100});
    ONE(log2, log2l, 1.0, 1.0, {0.5, 2}, {0.99, 1.01}, {1e-300, 1e300}, {0.01, 100});
    ONE(log10, log10l, 1.0, 1.0, {0.5, 2}, {0.99, 1.01}, {1e-300, 1e300}, {0.01, 100});
    ONE(log1p, log1pl, 1.0, 1.6, {-0.5, 1}, {-0.999, 10}, {1e-300, 1e300}, {-0.01, 0.01});
    TWO(pow, pow_reference, 1.1, 1.9, POWER);
    ONE(sin, sinl, 1.6, 1.6, {-10, 10}, {-1e6, 1e6}, {1e-5, 1e30}, {-0.8, 0.8});
    ONE(cos, cosl, 1.6, 1.6, {-10, 10}, {-1e6, 1e6}, {1e-5, 1e30}, {-0.8, 0.8});
    ONE(tan, tanl, 1.0, 1.5, {-10, 10}, {-1e6, 1e6}, {1e-5, 1e30}, {-0.8, 0.8});
    check_quarter_turns();
    check_double("sincos:sin", device_sine, sinl, 1.6, RANGES({-10, 10}, {1e-5, 1e30}));
    check_double("sincos:cos", device_cosine, cosl, 1.6, RANGES({-10, 10}, {1e-5, 1e30}));
    check_float("sincosf:sin", device_sinef, sinl, 1.6, RANGES({-10, 10}, {1e-5, 1e30}));
    check_float("sincosf:cos", device_cosinef, cosl, 1.6, RANGES({-10, 10}, {1e-5, 1e30}));
    ONE(asin, asinl, 0.7, 1.6, {-1, 1}, {-0.5, 0.5}, {0.4, 0.6}, {0.9, 1});
    ONE(acos, acosl, 0.7, 1.2, {-1, 1}, {-0.5, 0.5}, {0.4, 0.6}, {0.9, 1});
    ONE(atan, atanl, 1.7, 1.5, {-1, 1}, {-5, 5}, {0.3, 0.5}, {1e-5, 1e20});
    TWO(atan2, atan2l, 1.7, 1.5, ALIKE);
    ONE(sinh, sinhl, 0.8, 0.9, {-2, 2}, {-710.5, 710.5}, {-90, 90}, {0.9, 1.1});
    ONE(cosh, coshl, 0.7, 0.51, {-2, 2}, {-710.5, 710.5}, {-90, 90}, {0.9, 1.1});
    ONE(tanh, tanhl, 1.4, 1.7, {-1, 1}, {-20, 20}, {0.4, 0.7}, {-0.1, 0.1});
    ONE(asinh, asinhl, 0.7, 0.7, {-1, 1}, {-20, 20}, {0.4, 0.7}, {1e-5, 1e50});
    ONE(acosh, acoshl, 0.9, 0.51, {1, 2}, {1, 1.01}, {1, 50}, {1, 1e50});
    ONE(atanh, atanhl, 0.9, 0.51, {-1, 1}, {-0.2, 0.2}, {0.9, 1}, {0.1, 0.6});
    ONE(sqrt, sqrtl, 0.501, 0.501, {0, 10});
    ONE(cbrt, cbrtl, 0.51, 0.51, {-10, 10}, {0.1, 8});
    TWO(hypot, hypotl, 0.8, 0.51, ALIKE);
    ONE(erf, erfl, 1.2, 1.3, {-1, 1}, {-6, 6}, {0.9, 1.1}, {1e-300, 1});
    ONE(erfc, erfcl, 1.6, 1.3, {-1, 1}, {-6, 6}, {0.4, 27}, {5, 28});
    ONE(tgamma, tgammal, 0.9, 0.51, {-10, 10}, {0.1, 171.6}, {-184, -1}, {1e-10, 3});
    ONE(lgamma, lgamma_reference, 1.6, 0.51, {0.1, 10}, {0.7, 2.5}, {1e-300, 1e300}, {2, 200});
    check_negative_lgamma();

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
    check_double2("fmin", plain_fmin, exact_fmin, 0, ALIKE);
    check_float2("fminf", plain_fminf, exact_fmin, 0, ALIKE);
    check_double2("fmax", plain_fmax, exact_fmax, 0, ALIKE);
    check_float2("fmaxf", plain_fmaxf, exact_fmax, 0, ALIKE);
    check_double2("nextafter", DEVICE(nextafter), exact_nextafter, 0, ALIKE);
    check_float2("nextafterf", DEVICE(nextafterf), exact_nextafterf, 0, ALIKE);
}
