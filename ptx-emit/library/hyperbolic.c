/* sinh, cosh, tanh and their inverses. */

#include "cores.h"

/* (exp(x) + sign * exp(-x)) / 2 for 0 < x < 711. */
static inline double half_exp_sum(double x, double sign) {
    struct scaled_pair e = exp_pair(x, 0.0);
    if (e.exponent > 30) return scaled(e.high, e.exponent - 1);
    struct pair grown = make_pair(scaled(e.high, e.exponent), scaled(e.low, e.exponent));
    struct pair inverse = pair_divide(make_pair(sign, 0.0), grown);
    struct pair sum = fast_two_sum(grown.high, inverse.high);
    return 0.5 * (sum.high + (sum.low + (grown.low + inverse.low)));
}

double DEVICE(sinh)(double x) {
    double magnitude = __builtin_fabs(x);
    if (UNLIKELY(!(magnitude < 711.0))) return is_nan(x) ? x : __builtin_copysign(INFINITY_D, x);
    if (magnitude < 1.0) {
        if (magnitude < 0x1p-27) return x;
        double square = x * x;
        return __builtin_fma(x * square, sinh_tail(square), x);
    }
    return __builtin_copysign(half_exp_sum(magnitude, -1.0), x);
}

double DEVICE(cosh)(double x) {
    double magnitude = __builtin_fabs(x);
    if (UNLIKELY(!(magnitude < 711.0))) return is_nan(x) ? x : INFINITY_D;
    return half_exp_sum(magnitude, 1.0);
}

double DEVICE(tanh)(double x) {
    double magnitude = __builtin_fabs(x);
    if (magnitude <= 0.55) {
        if (magnitude < 0x1p-27) return x;
        double square = x * x;
        return __builtin_fma(x * square, tanh_tail(square), x);
    }
    if (magnitude > 20.0) return __builtin_copysign(1.0, x);
    if (is_nan(x)) return x;
    /* 1 - 2 / (exp(2 x) + 1). */
    struct scaled_pair e = exp_pair(2.0 * magnitude, 0.0);
    struct pair denominator = fast_two_sum(scaled(e.high, e.exponent), 1.0);
    double sum = denominator.high + (denominator.low + scaled(e.low, e.exponent));
    return __builtin_copysign(1.0 - quotient(2.0, sum), x);
}

double DEVICE(asinh)(double x) {
    double magnitude = __builtin_fabs(x);
    if (magnitude <= 0.5) {
        if (magnitude < 0x1p-27) return x;
        double square = x * x;
        return __builtin_fma(x * square, asinh_tail(square), x);
    }
    if (!(magnitude < INFINITY_D)) return x;
    struct split_d parts;
    struct pair result;
    if (magnitude > 0x1p30) {
        /* x + sqrt(x^2 + 1) is 2 x. */
        parts = split(magnitude);
        result = log_number(parts.mantissa - 1.0, parts.exponent + 1);
    } else {
        struct pair square = pair_add_number(two_product(magnitude, magnitude), 1.0);
        result = log_of_pair(pair_add_number(pair_square_root(square), magnitude));
    }
    return __builtin_copysign(result.high, x);
}

double DEVICE(acosh)(double x) {
    if (UNLIKELY(!(x >= 1.0 && x < INFINITY_D))) return x > 1.0 || is_nan(x) ? x : NAN_D;
    if (x == 1.0) return 0.0;
    if (x > 0x1p30) {
        struct split_d parts = split(x);
        return log_number(parts.mantissa - 1.0, parts.exponent + 1).high;
    }
    if (x > 1.0625) {
        struct pair square = pair_add_number(two_product(x, x), -1.0);
        return log_of_pair(pair_add_number(pair_square_root(square), x)).high;
    }
    /* log(1 + v), v = t + sqrt(t (2 + t)). */
    double t = x - 1.0;
    struct pair v = pair_add_number(pair_square_root(pair_multiply_number(two_sum(2.0, t), t)), t);
    return log_pair(v.high, v.low, 0).high;
}

double DEVICE(atanh)(double x) {
    double magnitude = __builtin_fabs(x);
    if (UNLIKELY(!(magnitude < 1.0))) return magnitude == 1.0 ? __builtin_copysign(INFINITY_D, x) : is_nan(x) ? x : NAN_D;
    if (magnitude < 0.17) {
        if (magnitude < 0x1p-27) return x;
        double square = x * x;
        return __builtin_fma(0.5 * x * square, log_tail(square), x);
    }
    struct pair quotient = pair_divide(two_sum(1.0, magnitude), two_sum(1.0, -magnitude));
    return __builtin_copysign(0.5 * log_of_pair(quotient).high, x);
}

/* The float functions leave to double what would need pairs. */

static inline double half_exp_sumf(float x, double sign) {
    struct reduced_exponent parts = reduce_exponent(x);
    double e = moved(short_exp_reduced(parts.r), parts.multiple);
    return 0.5 * __builtin_fma(sign, inverse(e), e);
}

float DEVICE(sinhf)(float x) {
    float magnitude = __builtin_fabsf(x);
    if (UNLIKELY(!(magnitude < 90.0f))) return is_nanf(x) ? x : __builtin_copysignf(INFINITY_F, x);
    if (magnitude < 1.0f) {
        if (magnitude < 0x1p-12f) return x;
        float square = x * x;
        return __builtin_fmaf(x * square, sinh_tailf(square), x);
    }
    return __builtin_copysignf((float)half_exp_sumf(magnitude, -1.0), x);
}

float DEVICE(coshf)(float x) {
    float magnitude = __builtin_fabsf(x);
    if (UNLIKELY(!(magnitude < 90.0f))) return is_nanf(x) ? x : INFINITY_F;
    return (float)half_exp_sumf(magnitude, 1.0);
}

float DEVICE(tanhf)(float x) {
    float magnitude = __builtin_fabsf(x);
    float square = x * x;
    float small = __builtin_fmaf(x * square, tanh_tailf(square), x);
    /* 1 - 2 / (exp(2 x) + 1); the power need not be infinite. */
    float power = DEVICE(expf)(2.0f * magnitude);
    float large = __builtin_fmaf(-2.0f, __builtin_accrue_reciprocalf(power + 1.0f), 1.0f);
    return __builtin_copysignf(magnitude <= 0.55f ? small : large, x);
}

/* log(x) for normal positive x in double, to a few ulp. */
static inline double short_log(double x) {
    struct split_d parts = split(x);
    double f = parts.mantissa - 1.0;
    double s = f * inverse(2.0 + f);
    return __builtin_fma((double)parts.exponent, 0x1.62e42fefa39efp-1, f - s * __builtin_fma(-s * s, log_tail(s * s), f));
}

float DEVICE(asinhf)(float x) {
    float magnitude = __builtin_fabsf(x);
    if (magnitude <= 0.5f) {
        if (magnitude < 0x1p-12f) return x;
        float square = x * x;
        return __builtin_fmaf(x * square, asinh_tailf(square), x);
    }
    if (!(magnitude < INFINITY_F)) return x;
    double wide = magnitude;
    return __builtin_copysignf((float)short_log(wide + root_of(__builtin_fma(wide, wide, 1.0)).root), x);
}

float DEVICE(acoshf)(float x) {
    if (UNLIKELY(!(x >= 1.0f && x < INFINITY_F))) return x > 1.0f || is_nanf(x) ? x : NAN_F;
    double t = (double)x - 1.0;
    double v = t + __builtin_sqrt(t * (2.0 + t));
    /* The rounding of 1 + v is small against v, which is at least 2^-11. */
    return (float)short_log(1.0 + v);
}

float DEVICE(atanhf)(float x) {
    float magnitude = __builtin_fabsf(x);
    if (UNLIKELY(!(magnitude < 1.0f))) {
        return magnitude == 1.0f ? __builtin_copysignf(INFINITY_F, x) : is_nanf(x) ? x : NAN_F;
    }
    if (magnitude < 0x1p-12f) return x;
    double wide = magnitude;
    return __builtin_copysignf((float)(0.5 * short_log(quotient(1.0 + wide, 1.0 - wide))), x);
}
