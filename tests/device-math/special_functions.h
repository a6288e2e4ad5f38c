/* Bessel functions. Beside a zero of theirs the error is counted in ulp of sqrt(2 / (pi x)), the amplitude of the
   oscillation. */

static double bessel_error(double got, long double expected, double x) {
    if (isnan(got) || isnan(expected) || isinf(got) || isinf(expected)) return error_double(got, expected);
    double amplitude = fabs(x) > 0.5 ? sqrt(2.0 / (M_PI * fabs(x))) : 0.0;
    if (fabsl(expected) >= amplitude) return error_double(got, expected);
    int exponent;
    (void)frexp(amplitude, &exponent);
    return (double)(fabsl(got - expected) / ldexpl(1.0L, exponent - 53));
}

static double bessel_argument(long i) {
    if (i < SPECIALS) return special[i];
    if (i % 3 == 0) return random_unit() * 40.0;
    if (i % 3 == 1) return exp2(60.0 * random_unit() - 30.0);
    return random_unit() * 4.0 - (i % 2 ? 1.0 : 0.0);
}

static void check_bessel(const char *name, double (*function)(double), long double (*reference)(long double), double bound) {
    finding found = {name, 0, 0.0, 0.0, 0.0};
    for (long i = 0; i < SPECIALS + samples; i++) {
        double x = bessel_argument(i);
        note(&found, bessel_error(function(x), reference(x), x), x, 0.0);
    }
    report(&found, bound, 1);
}

static void check_bessel_n(const char *name, double (*function)(int, double), long double (*reference)(int, long double),
                           double bound) {
    finding found = {name, 0, 0.0, 0.0, 0.0};
    for (long i = 0; i < SPECIALS + samples; i++) {
        double x = bessel_argument(i);
        /* The host's own takes as many steps as the order has. */
        int order = (int)(random_bits() % 40) - 8;
        note(&found, bessel_error(function(order, x), reference(order, x), x), order, x);
    }
    report(&found, bound, 2);
}

static void check_special_functions(void) {
    check_bessel("j0", DEVICE(j0), j0l, 24);
    check_bessel("j1", DEVICE(j1), j1l, 24);
    check_bessel("y0", DEVICE(y0), y0l, 24);
    check_bessel("y1", DEVICE(y1), y1l, 24);
    check_bessel_n("jn", DEVICE(jn), jnl, 50);
    check_bessel_n("yn", DEVICE(yn), ynl, 50);
}
