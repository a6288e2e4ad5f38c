/* exp, exp2, exp10, expm1. */

#include "cores.h"

#define LN10_HIGH 0x1.26bb1bbb55516p+1
#define LN10_LOW (-0x1.f48ad494ea3e9p-53)
#define LN2_DOUBLE 0x1.62e42fefa39efp-1
#define LN2_DOUBLE_LOW 0x1.abc9e3b39803fp-56
/* The upper halves of 708, up to which powers are normal numbers, and 746, from where on they are zero or infinite. */
#define UPPER_708 0x40862000u
#define UPPER_746 0x40875000u

/* What exp and its kin give where the result is zero, infinite or no number. */
static inline double exp_limit(double x) { return x < 0.0 ? 0.0 : x + INFINITY_D; }

double DEVICE(exp)(double x) {
    struct reduced_exponent parts = reduce_exponent(x);
    double value = short_exp_reduced(parts.r);
    uint32 magnitude = upper_magnitude(x);
    if (LIKELY(magnitude < UPPER_708)) return moved(value, parts.multiple);
    value = scaled_normal(value, parts.multiple);
    return magnitude < UPPER_746 ? value : exp_limit(x);
}

double DEVICE(exp2)(double x) {
    if (UNLIKELY(!(x < 1024.0 && x > -1076.0))) return exp_limit(x);
    struct nearest_d multiple = nearest_multiple(x, 1.0);
    double rest = x - multiple.number;
    double r = rest * LN2_DOUBLE;
    double low = __builtin_fma(rest, LN2_DOUBLE_LOW, __builtin_fma(rest, LN2_DOUBLE, -r));
    return scaled(exp_reduced(r, low).high, multiple.integer);
}

double DEVICE(exp10)(double x) {
    if (UNLIKELY(!(x < 309.0 && x > -325.0))) return exp_limit(x);
    struct nearest_d multiple = nearest_multiple(x, 0x1.a934f0979a371p+1);
    /* The first part of log10(2) has 42 bits: the product is exact. */
    double rest = __builtin_fma(-multiple.number, 0x1.34413509f7800p-2, x);
    struct pair reduced = fast_two_sum(rest, -multiple.number * 0x1.fef311f12b358p-46);
    struct pair r = pair_multiply(reduced, make_pair(LN10_HIGH, LN10_LOW));
    return scaled(exp_reduced(r.high, r.low).high, multiple.integer);
}

double DEVICE(expm1)(double x) {
    if (UNLIKELY(!(x < 710.0))) return x > 0.0 ? INFINITY_D : x;
    if (x < -40.0) return -1.0;
    if (__builtin_fabs(x) < 0x1.62p-2) {
        if (__builtin_fabs(x) < 0x1p-54) return x;
        return __builtin_fma(x * x, exp_tail(x), x);
    }
    struct scaled_pair e = exp_pair(x, 0.0);
    if (e.exponent > 60) return scaled(e.high, e.exponent);
    struct pair difference = two_sum(e.high, -power_of_two(-e.exponent));
    return scaled(difference.high + (difference.low + e.low), e.exponent);
}

/* The float powers leave the fraction of the exponent to the instruction, and have no branch: loops that call them are
   repeated. */
#define SHIFT 0x1.8p23f

/* The integer below x * factor, as far as a normal number has such an exponent, in the last bits of a float. It is found
   as a part of the way from the least exponent to the largest, since a GPU keeps a sum between 0 and 1 without a further
   instruction. What the parts are off, 2^-15 at most, is subtracted, so that the integer is never above. */
static inline float shifted_exponent(float x, float factor) {
    float part = __builtin_fmaf(x, factor / 253.0f, (125.5f - 0x1p-15f) / 253.0f);
    part = __builtin_fminf(__builtin_fmaxf(part, 0.0f), 1.0f);
    return __builtin_fmaf(part, 253.0f, SHIFT - 126.0f);
}

/* 2^(integer + rest). The rest is between 0 and 1, where the instruction is off by the fewest units in the last place, unless
   the result is subnormal or infinite. Moved to the exponent's place, the integer is all that is left of the bits of
   `shifted`. */
static inline float power(float shifted, float rest) {
    return __builtin_accrue_exp2f(rest) * number_off((bits_off(shifted) << 23) + 0x3f800000u);
}

/* 2^(x * (high + low)). */
static inline float power_of_product(float x, float high, float low) {
    float shifted = shifted_exponent(x, high);
    return power(shifted, __builtin_fmaf(x, low, __builtin_fmaf(x, high, SHIFT - shifted)));
}

float DEVICE(expf)(float x) { return power_of_product(x, 0x1.715476p+0f, 0x1.4ae0c0p-26f); }

float DEVICE(exp2f)(float x) {
    float shifted = shifted_exponent(x, 1.0f);
    return power(shifted, x + (SHIFT - shifted));
}

float DEVICE(exp10f)(float x) { return power_of_product(x, 0x1.a934f0p+1f, 0x1.2f346ep-24f); }

float DEVICE(expm1f)(float x) {
    if (UNLIKELY(!(x < 89.0f))) return x > 0.0f ? INFINITY_F : x;
    if (x < -20.0f) return -1.0f;
    if (__builtin_fabsf(x) < 0x1.62p-2f) {
        if (__builtin_fabsf(x) < 0x1p-25f) return x;
        return __builtin_fmaf(x * x, exp_tailf(x), x);
    }
    struct reduced_exponentf parts = reduce_exponentf(x);
    float r = parts.r;
    int k = parts.multiple;
    float rest = __builtin_fmaf(r * r, exp_tailf(r), r);
    if (k > 30) return scaledf(1.0f + rest, k);
    return scaledf((1.0f - power_of_twof(-k)) + rest, k);
}
