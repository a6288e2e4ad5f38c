/* exp, exp2, exp10, expm1. */

#include "cores.h"

#define LN10_HIGH 0x1.26bb1bbb55516p+1
#define LN10_LOW (-0x1.f48ad494ea3e9p-53)
#define LN2_DOUBLE 0x1.62e42fefa39efp-1
#define LN2_DOUBLE_LOW 0x1.abc9e3b39803fp-56

/* What exp and its kin give where the result is zero, infinite or no number. */
static inline double exp_limit(double x) { return x > 0.0 ? INFINITY_D : x < 0.0 ? 0.0 : x; }
static inline float exp_limitf(float x) { return x > 0.0f ? INFINITY_F : x < 0.0f ? 0.0f : x; }

double DEVICE(exp)(double x) {
    if (UNLIKELY(!(x < 710.0 && x > -746.0))) return exp_limit(x);
    struct scaled_pair e = exp_pair(x, 0.0);
    return scaled(e.high, e.exponent);
}

double DEVICE(exp2)(double x) {
    if (UNLIKELY(!(x < 1024.0 && x > -1076.0))) return exp_limit(x);
    double multiple = __builtin_rint(x);
    double rest = x - multiple;
    double r = rest * LN2_DOUBLE;
    double low = __builtin_fma(rest, LN2_DOUBLE_LOW, __builtin_fma(rest, LN2_DOUBLE, -r));
    return scaled(exp_reduced(r, low).high, (int)multiple);
}

double DEVICE(exp10)(double x) {
    if (UNLIKELY(!(x < 309.0 && x > -325.0))) return exp_limit(x);
    double multiple = __builtin_rint(x * 0x1.a934f0979a371p+1);
    /* The first part of log10(2) has 42 bits: the product is exact. */
    double rest = __builtin_fma(-multiple, 0x1.34413509f7800p-2, x);
    struct pair reduced = fast_two_sum(rest, -multiple * 0x1.fef311f12b358p-46);
    struct pair r = pair_multiply(reduced, make_pair(LN10_HIGH, LN10_LOW));
    return scaled(exp_reduced(r.high, r.low).high, (int)multiple);
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

/* exp(r) for |r| <= log(2)/2. */
static inline float exp_reducedf(float r) { return 1.0f + __builtin_fmaf(r * r, exp_tailf(r), r); }

float DEVICE(expf)(float x) {
    if (UNLIKELY(!(x < 89.0f && x > -104.0f))) return exp_limitf(x);
    float multiple = __builtin_rintf(x * LOG2_E_F);
    float r = __builtin_fmaf(-multiple, LN2_HIGH_F, x);
    r = __builtin_fmaf(-multiple, LN2_LOW_F, r);
    return scaledf(exp_reducedf(r), (int)multiple);
}

float DEVICE(exp2f)(float x) {
    if (UNLIKELY(!(x < 128.0f && x > -151.0f))) return exp_limitf(x);
    float multiple = __builtin_rintf(x);
    return scaledf(exp_reducedf((x - multiple) * 0x1.62e430p-1f), (int)multiple);
}

float DEVICE(exp10f)(float x) {
    if (UNLIKELY(!(x < 39.0f && x > -46.0f))) return exp_limitf(x);
    float multiple = __builtin_rintf(x * 0x1.a934f0p+1f);
    float rest = __builtin_fmaf(-multiple, 0x1.344200p-2f, x);
    rest = __builtin_fmaf(-multiple, -0x1.95ec10p-19f, rest);
    float r = rest * 0x1.26bb1cp+1f;
    float low = __builtin_fmaf(rest, -0x1.12aabap-25f, __builtin_fmaf(rest, 0x1.26bb1cp+1f, -r));
    return scaledf(1.0f + (__builtin_fmaf(r * r, exp_tailf(r), low) + r), (int)multiple);
}

float DEVICE(expm1f)(float x) {
    if (UNLIKELY(!(x < 89.0f))) return x > 0.0f ? INFINITY_F : x;
    if (x < -20.0f) return -1.0f;
    if (__builtin_fabsf(x) < 0x1.62p-2f) {
        if (__builtin_fabsf(x) < 0x1p-25f) return x;
        return __builtin_fmaf(x * x, exp_tailf(x), x);
    }
    float multiple = __builtin_rintf(x * LOG2_E_F);
    float r = __builtin_fmaf(-multiple, LN2_HIGH_F, x);
    r = __builtin_fmaf(-multiple, LN2_LOW_F, r);
    int k = (int)multiple;
    float rest = __builtin_fmaf(r * r, exp_tailf(r), r);
    if (k > 30) return scaledf(1.0f + rest, k);
    return scaledf((1.0f - power_of_twof(-k)) + rest, k);
}
