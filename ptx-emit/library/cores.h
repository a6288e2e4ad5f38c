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
/* What the two lack, with the other sign. */
#define PI_2_LOWEST 0x1.f1976b7ed8fbcp-110
#define TWO_OVER_PI 0x1.45f306dc9c883p-1
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
    struct nearest_d multiple = nearest_multiple(x, LOG2_E);
    double r = __builtin_fma(-multiple.number, LN2_HIGH, x);
    struct pair reduced = fast_two_sum(r, __builtin_fma(-multiple.number, LN2_LOW, low));
    /* The product that was just rounded is small against r, unless r is all that cancellation left: then it is exact. */
    struct pair value = exp_reduced(reduced.high, reduced.low);
    struct scaled_pair result;
    result.high = value.high;
    result.low = value.low;
    result.exponent = multiple.integer;
    return result;
}

/* exp(r) for |r| <= log(2)/2, in the range of an ulp. */
static inline double short_exp_reduced(double r) { return 1.0 + __builtin_fma(r * r, exp_tail(r), r); }

/* x = multiple * log(2) + r. */
struct reduced_exponent {
    double r;
    int multiple;
};

struct reduced_exponentf {
    float r;
    int multiple;
};

/* Its r is off by half an ulp. */
static inline struct reduced_exponent reduce_exponent(double x) {
    struct nearest_d multiple = nearest_multiple(x, LOG2_E);
    struct reduced_exponent result;
    result.r = __builtin_fma(-multiple.number, LN2_LOW, __builtin_fma(-multiple.number, LN2_HIGH, x));
    result.multiple = multiple.integer;
    return result;
}

static inline struct reduced_exponentf reduce_exponentf(float x) {
    struct nearest_f multiple = nearest_multiplef(x, LOG2_E_F);
    struct reduced_exponentf result;
    result.r = __builtin_fmaf(-multiple.number, LN2_LOW_F, __builtin_fmaf(-multiple.number, LN2_HIGH_F, x));
    result.multiple = multiple.integer;
    return result;
}

/* log(2^exponent * (1 + f)) for 1/sqrt(2) <= 1 + f <= sqrt(2), with a relative error of about 2^-55; `low` comes to the
   lower part. */
static inline struct pair log_sum(double f, double low, int exponent) {
    double s = f * inverse(2.0 + f);
    double z = s * s;
    double correction = s * __builtin_fma(-z, log_tail(z), f);
    struct pair result = fast_two_sum(f, -correction);
    double k = exponent;
    struct pair sum = fast_two_sum(k * LN2_HIGH, result.high);
    return fast_two_sum(sum.high, sum.low + __builtin_fma(k, LN2_LOW, result.low + low));
}

/* The same of a number alone. */
static inline struct pair log_number(double f, int exponent) { return log_sum(f, 0.0, exponent); }

/* The same of 1 + f + low. The derivative of log(1 + f) at low needs few bits. */
static inline struct pair log_pair(double f, double low, int exponent) {
    return log_sum(f, low * (double)(1.0f / (1.0f + (float)f)), exponent);
}

/* log(2^exponent * (1 + f)) with a relative error of about 2^-65, from s = f / (2 + f) as a pair: 2 s + s z (2/3 + z T(z)), where z
   is the square of s. Sums of a large and a small number need no more than their two parts: what is smaller still is added up. */
static inline struct pair log_from_ratio(struct pair s, int exponent) {
    double twice = 2.0 * s.high;
    double z = s.high * s.high;
    double z_low = __builtin_fma(twice, s.low, __builtin_fma(s.high, s.high, -z));
    struct pair factor = fast_two_sum(0x1.5555555555555p-1, z * log_tail2(z));
    factor.low += 0x1.5555555555555p-55;
    struct pair cube = two_product(s.high, z);
    cube.low = __builtin_fma(s.high, z_low, __builtin_fma(s.low, z, cube.low));
    struct pair small = two_product(cube.high, factor.high);
    small.low = __builtin_fma(cube.high, factor.low, __builtin_fma(cube.low, factor.high, small.low));
    struct pair sum = fast_two_sum(twice, small.high);
    double low = sum.low + __builtin_fma(2.0, s.low, small.low);
    double k = exponent;
    struct pair result = fast_two_sum(k * LN2_HIGH, sum.high);
    return fast_two_sum(result.high, result.low + __builtin_fma(k, LN2_LOW, low));
}

/* The same of 1 + f + low. */
static inline struct pair log_accurate(double f, double low, int exponent) {
    struct pair sum = fast_two_sum(2.0, f);
    return log_from_ratio(pair_divide(make_pair(f, low), make_pair(sum.high, sum.low + low)), exponent);
}

/* log of a number in its parts, accurately. */
static inline struct pair log_of_parts(struct split_d parts) {
    double f = parts.mantissa - 1.0;
    struct pair sum = fast_two_sum(2.0, f);
    double factor = inverse(sum.high);
    struct pair s;
    s.high = f * factor;
    s.low = __builtin_fma(-s.high, sum.low, __builtin_fma(-s.high, sum.high, f)) * factor;
    return log_from_ratio(s, parts.exponent);
}

/* log of a positive finite number, accurately. */
static inline struct pair log_of(double x) { return log_of_parts(split(x)); }

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

static inline float sin_reducedf(float r) {
    float z = r * r;
    return __builtin_fmaf(r * z, sin_tailf(z), r);
}

static inline float cos_reducedf(float r) {
    float z = r * r;
    return __builtin_fmaf(z, __builtin_fmaf(z, cos_tailf(z), -0.5f), 1.0f);
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
    struct nearest_d multiple = nearest_multiple(x, TWO_OVER_PI);
    /* The first step is exact: its result has no bit below the last of the product. */
    double rest = __builtin_fma(-multiple.number, PI_2_HIGH, x);
    struct pair product = two_product(multiple.number, PI_2_LOW);
    struct pair sum = two_sum(rest, -product.high);
    result.high = sum.high;
    result.low = __builtin_fma(multiple.number, PI_2_LOWEST, sum.low - product.low);
    result.quadrant = multiple.integer & 3;
    return result;
}

#endif
