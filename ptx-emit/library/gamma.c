/* tgamma, lgamma. */

#include "cores.h"

#define HALF_LOG_2PI 0x1.d67f1c864beb5p-1
#define HALF_LOG_2PI_LOW (-0x1.65b5a1b7ff5dfp-55)
#define LOG_PI 0x1.250d048e7a1bdp+0
#define LOG_PI_LOW 0x1.7abf2ad8d5088p-57

/* Stirling's formula is used from here on; smaller arguments are shifted. */
#define SHIFTED 10.0

/* log(gamma(x)) for x >= SHIFTED. */
static inline struct pair stirling(struct pair x) {
    struct split_d parts = split(x.high);
    double low = scaled(x.low, -parts.exponent);
    struct pair f = fast_two_sum(parts.mantissa - 1.0, low);
    struct pair logarithm = log_accurate(f.high, f.low, parts.exponent);
    /* (x - 1/2) (log(x) - 1) + (log(2 pi) - 1) / 2 has less cancellation than the usual form. */
    struct pair factor = pair_add_number(x, -0.5);
    struct pair result = pair_multiply(factor, pair_add_number(logarithm, -1.0));
    result = pair_add(result, pair_add_number(make_pair(HALF_LOG_2PI, HALF_LOG_2PI_LOW), -0.5));
    double inverse = 1.0 / x.high;
    return pair_add_number(result, inverse * stirling_tail(inverse * inverse));
}

/* A positive number below SHIFTED, raised by an integer; and the product of the steps from it. */
struct shifted {
    struct pair argument;
    struct pair product;
};

static inline struct shifted shift(double x) {
    struct shifted result;
    result.argument = make_pair(x, 0.0);
    result.product = make_pair(1.0, 0.0);
    while (result.argument.high < SHIFTED) {
        result.product = pair_multiply(result.product, result.argument);
        result.argument = pair_add_number(result.argument, 1.0);
    }
    return result;
}

/* sin(pi x) for 0 < x < 1/2 and its mirror images: the distance from the nearest integer decides. */
static inline struct pair sin_of_pi_times(double x) {
    double distance = __builtin_fabs(x - __builtin_rint(x));
    int mirrored = distance > 0.25;
    if (mirrored) distance = 0.5 - distance;
    struct pair angle = pair_multiply_number(make_pair(2.0 * PI_2_HIGH, 2.0 * PI_2_LOW), distance);
    return mirrored ? cos_reduced(angle.high, angle.low) : sin_reduced(angle.high, angle.low);
}

/* gamma(x) for 0 < x < 191, times 2^-exponent. */
static inline struct scaled_pair gamma_of_positive(double x) {
    struct shifted moved = shift(x);
    struct pair logarithm = stirling(moved.argument);
    struct scaled_pair result = exp_pair(logarithm.high, logarithm.low);
    if (x < SHIFTED) {
        struct pair quotient = pair_divide(make_pair(result.high, result.low), moved.product);
        result.high = quotient.high;
        result.low = quotient.low;
    }
    return result;
}

double DEVICE(tgamma)(double x) {
    if (UNLIKELY(!is_finite(x))) return x > 0.0 ? x : NAN_D;
    if (x == 0.0) return __builtin_copysign(INFINITY_D, x);
    if (__builtin_fabs(x) < 0x1p-60) return 1.0 / x;
    if (x > 172.0) return INFINITY_D;
    if (x > 0.0) {
        struct scaled_pair value = gamma_of_positive(x);
        return DEVICE(scalbn)(value.high, value.exponent);
    }
    double floor = __builtin_floor(x);
    if (floor == x) return NAN_D;
    double sign = __builtin_rint(0.5 * floor) * 2.0 == floor ? 1.0 : -1.0;
    if (x < -190.0) return sign * 0.0;
    /* gamma(x) = pi / (sin(pi x) gamma(1 - x)), where gamma(1 - x) = -x gamma(-x). */
    struct pair sine = sin_of_pi_times(x);
    struct pair argument = make_pair(-x, 0.0);
    struct scaled_pair value = gamma_of_positive(-x);
    struct pair divisor = pair_multiply(make_pair(value.high, value.low), argument);
    divisor = pair_multiply(divisor, sine);
    struct pair result = pair_divide(make_pair(2.0 * PI_2_HIGH, 2.0 * PI_2_LOW), divisor);
    return DEVICE(scalbn)(sign * result.high, -value.exponent);
}

/* log(gamma(x)) for positive finite x, as a pair except where it is close to a zero or large. */
static inline struct pair lgamma_of_positive(double x) {
    double near1 = x - 1.0;
    if (__builtin_fabs(near1) <= 0.125) return two_product(near1, lgamma_near1(near1));
    double near2 = x - 2.0;
    if (__builtin_fabs(near2) <= 0.125) return two_product(near2, lgamma_near2(near2));
    if (x < 0x1p-60) return pair_negate(log_of(x));
    if (x >= 0x1p1014) {
        /* x (log(x) - 1) may be infinite. */
        return make_pair(x * (log_of(x).high - 1.0), 0.0);
    }
    if (x >= SHIFTED) return stirling(make_pair(x, 0.0));
    struct shifted moved = shift(x);
    struct split_d parts = split(moved.product.high);
    struct pair f = fast_two_sum(parts.mantissa - 1.0, scaled(moved.product.low, -parts.exponent));
    return pair_add(stirling(moved.argument), pair_negate(log_accurate(f.high, f.low, parts.exponent)));
}

double DEVICE(lgamma_r)(double x, int *sign) {
    *sign = 1;
    if (UNLIKELY(!is_finite(x))) return is_nan(x) ? x : INFINITY_D;
    if (x == 0.0) {
        *sign = sign_of(x) ? -1 : 1;
        return INFINITY_D;
    }
    if (x > 0.0) return lgamma_of_positive(x).high + 0.0;
    double floor = __builtin_floor(x);
    if (floor == x) return INFINITY_D;
    if (__builtin_rint(0.5 * floor) * 2.0 != floor) *sign = -1;
    if (x > -0x1p-60) return -log_of(-x).high;
    /* log(pi / (|x sin(pi x)| gamma(-x))). */
    struct pair product = pair_multiply_number(sin_of_pi_times(x), -x);
    struct split_d parts = split(product.high);
    struct pair f = fast_two_sum(parts.mantissa - 1.0, scaled(product.low, -parts.exponent));
    struct pair result = pair_add(log_accurate(f.high, f.low, parts.exponent), lgamma_of_positive(-x));
    return pair_add(make_pair(LOG_PI, LOG_PI_LOW), pair_negate(result)).high;
}

double DEVICE(lgamma)(double x) {
    int sign;
    return DEVICE(lgamma_r)(x, &sign);
}

float DEVICE(tgammaf)(float x) { return (float)DEVICE(tgamma)(x); }
float DEVICE(lgammaf)(float x) { return (float)DEVICE(lgamma)(x); }
float DEVICE(lgammaf_r)(float x, int *sign) { return (float)DEVICE(lgamma_r)(x, sign); }
