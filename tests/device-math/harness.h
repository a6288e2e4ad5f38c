/* Compares the functions of the device math library with the host's in higher precision.

   A row names a function, its reference, the largest error in ulp that is acceptable, and the intervals that its
   arguments come from beside all numbers and the special ones. */

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTHING_LIKE_IT 1e300

typedef struct {
    double low;
    double high;
} interval;

#define INTERVALS 4

static long samples = 30000;
static int failures;
static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint64_t random_bits(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * 0x2545f4914f6cdd1du;
}

static double random_unit(void) { return (double)(random_bits() >> 11) * 0x1p-53; }

static double any_double(void) {
    double x;
    uint64_t bits = random_bits();
    memcpy(&x, &bits, sizeof x);
    /* Signalling ones differ, because the reference gets them quiet. */
    return isnan(x) ? NAN : x;
}

static float any_float(void) {
    float x;
    uint32_t bits = (uint32_t)(random_bits() >> 32);
    memcpy(&x, &bits, sizeof x);
    return isnan(x) ? NAN : x;
}

/* Evenly spread, or with evenly spread exponents where both ends have the same sign. */
static double random_in(interval range) {
    if (range.low * range.high > 0.0 && random_bits() >> 63) {
        double sign = range.low < 0.0 ? -1.0 : 1.0;
        double least = log2(fabs(range.low));
        return sign * exp2(least + random_unit() * (log2(fabs(range.high)) - least));
    }
    return range.low + random_unit() * (range.high - range.low);
}

static const double special[] = {
    0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 4.0, 10.0, -10.0, 22.0, 0.25, 1.5, -1.5, 2.5,
    -2.5, 3.5, 100.0, 0x1p-1074, -0x1p-1074, 0x1p-1022, -0x1p-1022, 0x1.fffffffffffffp-1023, DBL_MAX, -DBL_MAX,
    0x1.fffffffffffffp-2, 0x1.fffffffffffffp-1, 0x1.0000000000001p0, -0x1.fffffffffffffp-1, 0x1.0000000000001p-1,
    0x1p-149, -0x1p-149, 0x1p-126, FLT_MAX, -FLT_MAX, 0x1.fffffep-2, 0x1.fffffep-1, 0x1.000002p0, 0x1p23, 0x1.000002p23,
    0x1p52, 0x1.0000000000001p52, 0x1p53, 4503599627370497.5, -4503599627370497.5, 8388607.5, 0x1.921fb54442d18p0,
    0x1.921fb54442d18p1, -0x1.921fb54442d18p0, 0x1.921fb6p0, 0x1.921fb54442d18p-1, 6381956970095103.0 * 0x1p797,
    0x1.6ac5b262ca1ffp849, 0x1p1023, 0x1p120, 0x1p-27, 0x1p-54, 0x1p-1000, 0x1p-600, -0x1p-27, 0x1p31, -0x1p31, 0x1p63, -0x1p63,
    2147483647.5, 709.782712893384, -745.1332191019412, 88.72284, -103.97208, 1023.9999999, 171.624376956302, -170.5, -183.5,
    33.0, -33.0, 127.0, 1024.0, -1074.0, -1075.0, -1022.5, 308.0, 38.0, -323.0, 1e22, 1e-5,
};

#define SPECIALS ((long)(sizeof special / sizeof *special))

/* The error of `got` in units in the last place of a number with `digits` digits and least exponent `least`. */
static double error_in_ulps(double got, long double expected, int digits, int least, int most) {
    if (isnan(expected) || isnan(got)) return isnan(expected) && isnan(got) ? 0.0 : NOTHING_LIKE_IT;
    if (!signbit(got) != !signbit(expected)) return NOTHING_LIKE_IT;
    if (isinf(expected)) return isinf(got) ? 0.0 : NOTHING_LIKE_IT;
    if (expected == 0.0L) return got == 0.0 ? 0.0 : NOTHING_LIKE_IT;
    int exponent;
    (void)frexpl(expected, &exponent);
    exponent -= digits;
    if (exponent < least) exponent = least;
    long double magnitude = fabsl(expected);
    long double value = fabs(got);
    if (exponent > most - digits) {
        /* Beyond the largest number all is infinite. */
        return isinf(got) ? 0.0 : NOTHING_LIKE_IT;
    }
    if (isinf(got)) value = ldexpl(1.0L, most);
    return (double)(fabsl(value - magnitude) / ldexpl(1.0L, exponent));
}

static double error_double(double got, long double expected) { return error_in_ulps(got, expected, 53, -1074, 1024); }
static double error_float(float got, long double expected) { return error_in_ulps(got, expected, 24, -149, 128); }

typedef struct {
    const char *name;
    long tried;
    double worst;
    double x;
    double y;
} finding;

static void note(finding *found, double error, double x, double y) {
    found->tried++;
    if (error > found->worst) {
        found->worst = error;
        found->x = x;
        found->y = y;
    }
}

static void report(const finding *found, double bound, int arguments) {
    int failed = found->worst > bound;
    failures += failed;
    printf("%-12s %9ld  ", found->name, found->tried);
    if (found->worst == 0.0) {
        printf("%8s  ", "exact");
    } else if (found->worst >= NOTHING_LIKE_IT) {
        printf("%8s  ", "wrong");
    } else {
        printf("%8.3f  ", found->worst);
    }
    if (found->worst > 0.0) {
        printf(arguments == 2 ? "%a, %a" : "%a", found->x, found->y);
    }
    if (failed) printf("  ABOVE THE BOUND OF %g", bound);
    printf("\n");
}

static void check_double(const char *name, double (*function)(double), long double (*reference)(long double), double bound,
                         const interval *ranges) {
    finding found = {name, 0, 0.0, 0.0, 0.0};
    for (long i = 0; i < SPECIALS + samples; i++) {
        double x;
        int range = (int)(i % (INTERVALS + 1));
        if (i < SPECIALS) {
            x = special[i];
        } else if (range < INTERVALS && ranges[range].low < ranges[range].high) {
            x = random_in(ranges[range]);
        } else if (range && ranges[0].low < ranges[0].high && i % 3) {
            x = random_in(ranges[0]);
        } else {
            x = any_double();
        }
        note(&found, error_double(function(x), reference(x)), x, 0.0);
    }
    report(&found, bound, 1);
}

static void check_float(const char *name, float (*function)(float), long double (*reference)(long double), double bound,
                        const interval *ranges) {
    finding found = {name, 0, 0.0, 0.0, 0.0};
    for (long i = 0; i < SPECIALS + samples; i++) {
        float x;
        int range = (int)(i % (INTERVALS + 1));
        if (i < SPECIALS) {
            x = (float)special[i];
        } else if (range < INTERVALS && ranges[range].low < ranges[range].high) {
            x = (float)random_in(ranges[range]);
        } else if (range && ranges[0].low < ranges[0].high && i % 3) {
            x = (float)random_in(ranges[0]);
        } else {
            x = any_float();
        }
        note(&found, error_float(function(x), reference(x)), x, 0.0);
    }
    report(&found, bound, 1);
}

/* How the second argument comes about. */
enum second {
    /* On its own. */
    APART,
    /* Close to the first in magnitude. */
    ALIKE,
    /* So that the power is in range. */
    POWER,
};

static double second_argument(double x, enum second way, double logarithm_limit) {
    switch (random_bits() % 4) {
    case 0:
        if (way != APART) break;
        return any_double();
    case 1:
        return special[random_bits() % (uint64_t)SPECIALS];
    default:
        break;
    }
    if (way == POWER) return (2.0 * random_unit() - 1.0) * logarithm_limit / fabs(log(fabs(x)));
    if (way == ALIKE) return x * (random_bits() >> 63 ? -1.0 : 1.0) * exp2(20.0 * (random_unit() - 0.5));
    return (random_unit() - 0.5) * 20.0;
}

static double first_argument(enum second way, int is_float) {
    uint64_t choice = random_bits() % 8;
    if (choice < 2) return 1.0 + (random_unit() - 0.5) * exp2(-40.0 * random_unit());
    if (choice < 4) return (random_unit() - (way == POWER ? 0.1 : 0.5)) * 20.0;
    if (choice < 5) return (double)(int64_t)(random_bits() % 40) - 20.0;
    return is_float ? any_float() : any_double();
}

static void check_double2(const char *name, double (*function)(double, double),
                          long double (*reference)(long double, long double), double bound, enum second way) {
    finding found = {name, 0, 0.0, 0.0, 0.0};
    for (long i = 0; i < SPECIALS * SPECIALS + samples; i++) {
        int listed = i < SPECIALS * SPECIALS;
        double x = listed ? special[i / SPECIALS] : first_argument(way, 0);
        double y = listed ? special[i % SPECIALS] : second_argument(x, way, 745.0);
        note(&found, error_double(function(x, y), reference(x, y)), x, y);
    }
    report(&found, bound, 2);
}

static void check_float2(const char *name, float (*function)(float, float), long double (*reference)(long double, long double),
                         double bound, enum second way) {
    finding found = {name, 0, 0.0, 0.0, 0.0};
    for (long i = 0; i < SPECIALS * SPECIALS + samples; i++) {
        int listed = i < SPECIALS * SPECIALS;
        float x = (float)(listed ? special[i / SPECIALS] : first_argument(way, 1));
        float y = (float)(listed ? special[i % SPECIALS] : second_argument(x, way, 104.0));
        note(&found, error_float(function(x, y), reference(x, y)), x, y);
    }
    report(&found, bound, 2);
}
