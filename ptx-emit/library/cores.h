/* The parts of exp, log, sin and cos that several functions are made of. They work on reduced arguments, give their
   results as pairs, and leave special values to their callers. */

#ifndef ACCRUE_CORES_H
#define ACCRUE_CORES_H

#include "device.h"

#define LOG2_E 0x1.71547652b82fep+0
#define LOG2_E_F 0x1.715476p+0f

/* log(2): the first part has 42 bits, so that its products with exponents are exact. */
#define LN2_HIGH 0x1.62e42fefa3800p-1
#define LN2_LOW 0x1.ef35793c76730p-45

/* The same with 16 bits for float. */
#define LN2_HIGH_F 0x1.62e400p-1f
#define LN2_LOW_F 0x1.7f7d1cp-20f

#define PI_2_HIGH 0x1.921fb54442d18p+0
#define PI_2_LOW 0x1.1a62633145c07p-54
#define PI_2_HIGH_F 0x1.921fb6p+0f
#define PI_2_LOW_F (-0x1.777a5cp-25f)

/* high + low times 2^exponent. */
struct scaled_pair {
    double high;
    double low;
    int exponent;
};

/* exp(r + low) for |r| <= log(2)/2, to about 2^-56. */
static inline struct pair exp_reduced(double r, double low) {
    double square = r * r;
    struct pair sum = fast_two_sum(1.0, r);
    double tail = __builtin_fma(square, exp_tail(r), __builtin_fma(low, r, low));
    return fast_two_sum(sum.high, sum.low + tail);
}

/* exp(x + low) for |x| < 1000. */
static inline struct scaled_pair exp_pair(double x, double low) {
    double multiple = __builtin_rint(x * LOG2_E);
    double r = __builtin_fma(-multiple, LN2_HIGH, x);
    struct pair reduced = fast_two_sum(r, __builtin_fma(-multiple, LN2_LOW, low));
    /* The product that was just rounded is small against r, unless r is all that cancellation left: then it is exact. */
    struct pair value = exp_reduced(reduced.high, reduced.low);
    struct scaled_pair result;
    result.high = value.high;
    result.low = value.low;
    result.exponent = (int)multiple;
    return result;
}

/* log(2^exponent * (1 + f + low)) for 1/sqrt(2) <= 1 + f <= sqrt(2), with a relative error of about 2^-55. */
static inline struct pair log_pair(double f, double low, int exponent) {
    double s = f / (2.0 + f);
    double z = s * s;
    double correction = s * __builtin_fma(-z, log_tail(z), f);
    struct pair result = fast_two_sum(f, -correction);
    /* The derivative of log(1 + f) at low needs few bits. */
    result.low += low * (double)(1.0f / (1.0f + (float)f));
    double k = exponent;
    struct pair sum = fast_two_sum(k * LN2_HIGH, result.high);
    return fast_two_sum(sum.high, sum.low + __builtin_fma(k, LN2_LOW, result.low));
}

/* The same with a relative error of about 2^-66. */
static inline struct pair log_accurate(double f, double low, int exponent) {
    struct pair sum = fast_two_sum(2.0, f);
    struct pair s = pair_divide(make_pair(f, low), make_pair(sum.high, sum.low + low));
    struct pair z = pair_multiply(s, s);
    /* log(1 + f) = 2 s + s z (2/3 + z T(z)). */
    struct pair factor = fast_two_sum(0x1.5555555555555p-1, z.high * log_tail2(z.high));
    factor.low += 0x1.5555555555555p-55;
    struct pair small = pair_multiply(pair_multiply(s, z), factor);
    struct pair result = pair_add(make_pair(2.0 * s.high, 2.0 * s.low), small);
    double k = exponent;
    return pair_add(fast_two_sum(k * LN2_HIGH, k * LN2_LOW), result);
}

/* log of a positive finite number, accurately. */
static inline struct pair log_of(double x) {
    struct split_d parts = split(x);
    return log_accurate(parts.mantissa - 1.0, 0.0, parts.exponent);
}

/* log of a positive finite pair; medium accuracy. */
static inline struct pair log_of_pair(struct pair x) {
    struct split_d parts = split(x.high);
    double low = scaled(x.low, -parts.exponent);
    struct pair f = fast_two_sum(parts.mantissa - 1.0, low);
    return log_pair(f.high, f.low, parts.exponent);
}

/* sin(r + low) for |r| <= pi/4. */
static inline struct pair sin_reduced(double r, double low) {
    double z = r * r;
    double tail = __builtin_fma(r * z, sin_tail(z), low * __builtin_fma(-0.5, z, 1.0));
    return fast_two_sum(r, tail);
}

/* cos(r + low) for |r| <= pi/4. */
static inline struct pair cos_reduced(double r, double low) {
    double z = r * r;
    double half = 0.5 * z;
    double high = 1.0 - half;
    double tail = ((1.0 - high) - half) + __builtin_fma(z * z, cos_tail(z), -0.5 * __builtin_fma(r, r, -z) - r * low);
    return fast_two_sum(high, tail);
}

static inline float sin_reducedf(float r, float low) {
    float z = r * r;
    return __builtin_fmaf(r * z, sin_tailf(z), low) + r;
}

static inline float cos_reducedf(float r, float low) {
    float z = r * r;
    float high = __builtin_fmaf(-0.5f, z, 1.0f);
    float lost = __builtin_fmaf(-0.5f, z, 1.0f - high);
    return high + __builtin_fmaf(z * z, cos_tailf(z), __builtin_fmaf(-r, low, lost));
}

/* x - quadrant * pi/2, between -pi/4 and pi/4; quadrant modulo 4. */
struct reduced_angle {
    double high;
    double low;
    int quadrant;
};

struct reduced_angle DEVICE(reduce_huge_angle)(double x);

/* Reduces any finite angle. */
static inline struct reduced_angle reduce_angle(double x) {
    struct reduced_angle result;
    double magnitude = __builtin_fabs(x);
    if (magnitude <= 0x1.921fb54442d18p-1) {
        result.high = x;
        result.low = 0.0;
        result.quadrant = 0;
        return result;
    }
    if (UNLIKELY(!(magnitude < 0x1p22))) return DEVICE(reduce_huge_angle)(x);
    double multiple = __builtin_rint(x * 0x1.45f306dc9c883p-1);
    struct pair first = two_product(multiple, PI_2_HIGH);
    struct pair rest = two_sum(x - first.high, -first.low);
    struct pair second = two_product(multiple, PI_2_LOW);
    struct pair next = two_sum(rest.high, -second.high);
    double low = rest.low + next.low - second.low;
    low = __builtin_fma(multiple, 0x1.f1976b7ed8fbcp-110, low);
    struct pair sum = fast_two_sum(next.high, low);
    result.high = sum.high;
    result.low = sum.low;
    result.quadrant = (int)multiple & 3;
    return result;
}

#endif
