/* log, log2, log10, log1p. */

#include "cores.h"

/* What log and its kin give for zero, negative numbers, infinity and no number. */
static inline double log_limit(double x) { return x == 0.0 ? -INFINITY_D : x > 0.0 || is_nan(x) ? x : NAN_D; }
static inline float log_limitf(float x) { return x == 0.0f ? -INFINITY_F : x > 0.0f || is_nanf(x) ? x : NAN_F; }

/* The parts of numbers that mostly are positive and normal: one test says so. */
#define SPLIT(parts, x)                                  \
    struct split_d parts = split_normal(x);              \
    if (UNLIKELY(!is_positive_normal(x))) {              \
        if (!is_positive_finite(x)) return log_limit(x); \
        parts = split(x);                                \
    }

double DEVICE(log)(double x) {
    SPLIT(parts, x)
    return log_number(parts.mantissa - 1.0, parts.exponent).high;
}

double DEVICE(log2)(double x) {
    SPLIT(parts, x)
    struct pair value = log_number(parts.mantissa - 1.0, 0);
    value = pair_multiply(value, make_pair(LOG2_E, 0x1.777d0ffda0d24p-56));
    struct pair sum = fast_two_sum((double)parts.exponent, value.high);
    return sum.high + (sum.low + value.low);
}

double DEVICE(log10)(double x) {
    SPLIT(parts, x)
    struct pair value = log_number(parts.mantissa - 1.0, 0);
    value = pair_multiply(value, make_pair(0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57));
    double k = parts.exponent;
    struct pair sum = fast_two_sum(k * 0x1.34413509f7800p-2, value.high);
    return sum.high + (sum.low + __builtin_fma(k, 0x1.fef311f12b358p-46, value.low));
}

double DEVICE(log1p)(double x) {
    if (UNLIKELY(!(x > -1.0 && x < INFINITY_D))) return x == -1.0 ? -INFINITY_D : x > 0.0 || is_nan(x) ? x : NAN_D;
    if (__builtin_fabs(x) < 0x1p-54) return x;
    if (x > -0.29 && x < 0.41) return log_number(x, 0).high;
    return log_of_pair(two_sum(1.0, x)).high;
}

/* log(1 + f) - f for 1/sqrt(2) <= 1 + f <= sqrt(2). */
static inline float log_restf(float f) { return f * f * __builtin_fmaf(f, log1p_tailf(f), -0.5f); }

float DEVICE(logf)(float x) {
    if (UNLIKELY(!is_positive_finitef(x))) return log_limitf(x);
    struct split_f parts = splitf(x);
    float f = parts.mantissa - 1.0f;
    float k = float_of(parts.exponent);
    return __builtin_fmaf(k, LN2_HIGH_F, f) + __builtin_fmaf(k, LN2_LOW_F, log_restf(f));
}

float DEVICE(log2f)(float x) {
    if (UNLIKELY(!is_positive_finitef(x))) return log_limitf(x);
    struct split_f parts = splitf(x);
    float f = parts.mantissa - 1.0f;
    float rest = log_restf(f);
    float high = f + rest;
    float low = rest - (high - f);
    float product = high * LOG2_E_F;
    float tail = __builtin_fmaf(high, LOG2_E_F, -product);
    tail = __builtin_fmaf(high, 0x1.4ae0c0p-26f, __builtin_fmaf(low, LOG2_E_F, tail));
    float k = float_of(parts.exponent);
    float sum = k + product;
    return sum + ((product - (sum - k)) + tail);
}

float DEVICE(log10f)(float x) {
    if (UNLIKELY(!is_positive_finitef(x))) return log_limitf(x);
    struct split_f parts = splitf(x);
    float f = parts.mantissa - 1.0f;
    float rest = log_restf(f);
    float high = f + rest;
    float low = rest - (high - f);
    float product = high * 0x1.bcb7b2p-2f;
    float tail = __builtin_fmaf(high, 0x1.bcb7b2p-2f, -product);
    tail = __builtin_fmaf(high, -0x1.5b235ep-27f, __builtin_fmaf(low, 0x1.bcb7b2p-2f, tail));
    float k = float_of(parts.exponent);
    float whole = k * 0x1.344200p-2f;
    float sum = whole + product;
    return sum + ((product - (sum - whole)) + __builtin_fmaf(k, -0x1.95ec10p-19f, tail));
}

float DEVICE(log1pf)(float x) {
    if (UNLIKELY(!(x > -1.0f && x < INFINITY_F))) return x == -1.0f ? -INFINITY_F : x > 0.0f || is_nanf(x) ? x : NAN_F;
    if (__builtin_fabsf(x) < 0x1p-25f) return x;
    if (x > -0.29f && x < 0.41f) return x + log_restf(x);
    float sum = 1.0f + x;
    float part = sum - 1.0f;
    float lost = (1.0f - (sum - part)) + (x - part);
    struct split_f parts = splitf(sum);
    float f = parts.mantissa - 1.0f;
    float k = float_of(parts.exponent);
    float rest = __builtin_fmaf(k, LN2_LOW_F, log_restf(f)) + lost * __builtin_accrue_reciprocalf(sum);
    return __builtin_fmaf(k, LN2_HIGH_F, f) + rest;
}
