/* pow. */

#include "cores.h"

/* 0: no integer, 1: odd, 2: even. */
static inline int parity_of(double y) {
    double magnitude = __builtin_fabs(y);
    if (__builtin_trunc(magnitude) != magnitude) return 0;
    if (magnitude >= 0x1p53) return 2;
    return (int64)magnitude & 1 ? 1 : 2;
}

static inline int parity_off(float y) {
    float magnitude = __builtin_fabsf(y);
    if (__builtin_truncf(magnitude) != magnitude) return 0;
    if (magnitude >= 0x1p24f) return 2;
    return (int)magnitude & 1 ? 1 : 2;
}

/* x^y where x is zero or infinite, or one of them is no number. */
static inline double pow_limit(double x, double y) {
    if (x == 1.0 || y == 0.0) return 1.0;
    if (is_nan(x) || is_nan(y)) return x + y;
    double magnitude = __builtin_fabs(x);
    if (is_infinite(y)) {
        if (magnitude == 1.0) return 1.0;
        return (magnitude > 1.0) == (y > 0.0) ? INFINITY_D : 0.0;
    }
    double result = (magnitude == 0.0) == (y < 0.0) ? INFINITY_D : 0.0;
    return parity_of(y) == 1 ? __builtin_copysign(result, x) : result;
}

/* exp(y * logarithm) = 2^exponent * value, where the first is rounded to `high`. */
struct power_d {
    double value;
    int exponent;
};

static inline struct power_d power_of(struct pair logarithm, double y, double high) {
    double low = __builtin_fma(y, logarithm.low, __builtin_fma(y, logarithm.high, -high));
    struct nearest_d multiple = nearest_multiple(high, LOG2_E);
    double r = __builtin_fma(-multiple.number, LN2_HIGH, high) + __builtin_fma(-multiple.number, LN2_LOW, low);
    struct power_d result;
    result.value = short_exp_reduced(r);
    result.exponent = multiple.integer;
    return result;
}

/* All that is seldom: numbers that are not positive and normal, and results that are not. */
static OUT_OF_LINE double pow_seldom(double x, double y) {
    double magnitude = __builtin_fabs(x);
    if (!(magnitude > 0.0 && magnitude < INFINITY_D && is_finite(y))) return pow_limit(x, y);
    double sign = 0.0;
    if (x < 0.0) {
        int parity = parity_of(y);
        if (parity == 0) return NAN_D;
        if (parity == 1) sign = -0.0;
    }
    struct pair logarithm = log_of(magnitude);
    double high = y * logarithm.high;
    if (!(high < 710.0 && high > -746.0)) return __builtin_copysign(high > 0.0 ? INFINITY_D : 0.0, sign);
    struct power_d power = power_of(logarithm, y, high);
    return __builtin_copysign(scaled(power.value, power.exponent), sign);
}

double DEVICE(pow)(double x, double y) {
    if (UNLIKELY(!is_positive_normal(x))) return pow_seldom(x, y);
    struct split_d parts = split_normal(x);
    struct pair logarithm = log_of_parts(parts);
    double high = y * logarithm.high;
    if (UNLIKELY(!(__builtin_fabs(high) < 700.0))) return pow_seldom(x, y);
    struct power_d power = power_of(logarithm, y, high);
    return moved(power.value, power.exponent);
}

struct pair_f {
    float high;
    float low;
};

/* 1 / (2 + f) to an ulp or two, from Chebyshev's parabola with a relative error below 1.3e-3: an exact division also has code for
   subnormal numbers. */
static inline float inverse_sumf(float f) {
    float first = __builtin_fmaf(f, __builtin_fmaf(f, 0x1.deabap-4f, -0x1.051cc4p-2f), 0x1.0029d8p-1f);
    float error = __builtin_fmaf(-(2.0f + f), first, 1.0f);
    return __builtin_fmaf(first, __builtin_fmaf(error, error, error), first);
}

/* log2(2^exponent * (1 + f)) for 1/sqrt(2) <= 1 + f <= sqrt(2) as a pair. What is cubic in f is below a hundredth of the logarithm,
   and a float of it is exact enough: the error is about 2^-30 of the whole, which the power makes up to 2^7 times larger. */
static inline struct pair_f log2_pairf(float f, int exponent) {
    float inverse = inverse_sumf(f);
    float s = f * inverse;
    /* The difference is exact, as 2 s is near f. */
    float rest = __builtin_fmaf(-s, f, f - (s + s)) * inverse;
    /* 2 / log(2) is this and a lower part. */
    float factor = 0x1.715476p+1f;
    float k = float_of(exponent);
    float first = __builtin_fmaf(s, factor, k);
    float low = __builtin_fmaf(s, factor, k - first);
    low = __builtin_fmaf(s, 0x1.4ae0cp-25f, __builtin_fmaf(rest, factor, low));
    float z = s * s;
    float tail = z * log2_tailf(z);
    low = __builtin_fmaf(rest, 3.0f * tail, low);
    low = __builtin_fmaf(s, tail, low);
    struct pair_f result;
    result.high = first + low;
    result.low = low - (result.high - first);
    return result;
}

/* 2^r for |r| <= 1/2. */
static inline float exp2_reducedf(float r) { return __builtin_fmaf(r, exp2_tailf(r), 1.0f); }

/* y * logarithm, in two parts. */
static inline float low_product(float y, struct pair_f logarithm, float high) {
    return __builtin_fmaf(y, logarithm.low, __builtin_fmaf(y, logarithm.high, -high));
}

/* All that is seldom: numbers that are not positive and normal, and results that are not. */
static OUT_OF_LINE float pow_seldomf(float x, float y) {
    float magnitude = __builtin_fabsf(x);
    if (!(is_positive_finitef(magnitude) & is_finitef(y))) return (float)pow_limit(x, y);
    uint32 sign = 0;
    if (x < 0.0f) {
        int parity = parity_off(y);
        if (parity == 0) return NAN_F;
        if (parity == 1) sign = SIGN_F;
    }
    struct split_f parts = splitf(magnitude);
    struct pair_f logarithm = log2_pairf(parts.mantissa - 1.0f, parts.exponent);
    float high = y * logarithm.high;
    if (!(high < 129.0f && high > -151.0f)) return number_off((high > 0.0f ? INFINITE_F : 0u) | sign);
    struct nearest_f power = nearest_multiplef(high, 1.0f);
    float value = exp2_reducedf(high - power.number + low_product(y, logarithm, high));
    value = scaledf(value, power.integer);
    return number_off(bits_off(value) | sign);
}

float DEVICE(powf)(float x, float y) {
    if (UNLIKELY(!is_positive_normalf(x))) return pow_seldomf(x, y);
    struct split_f parts = split_normalf(x);
    struct pair_f logarithm = log2_pairf(parts.mantissa - 1.0f, parts.exponent);
    float high = y * logarithm.high;
    if (UNLIKELY(!(__builtin_fabsf(high) < 125.0f))) return pow_seldomf(x, y);
    struct nearest_f power = nearest_multiplef(high, 1.0f);
    return movedf(exp2_reducedf(high - power.number + low_product(y, logarithm, high)), power.integer);
}
