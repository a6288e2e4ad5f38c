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

double DEVICE(pow)(double x, double y) {
    double magnitude = __builtin_fabs(x);
    if (UNLIKELY(!(magnitude > 0.0 && magnitude < INFINITY_D && is_finite(y)))) return pow_limit(x, y);
    double sign = 1.0;
    if (x < 0.0) {
        int parity = parity_of(y);
        if (parity == 0) return NAN_D;
        if (parity == 1) sign = -1.0;
    }
    struct pair logarithm = log_of(magnitude);
    double high = y * logarithm.high;
    if (UNLIKELY(!(high < 710.0 && high > -746.0))) return sign * (high > 0.0 ? INFINITY_D : 0.0);
    double low = __builtin_fma(y, logarithm.low, __builtin_fma(y, logarithm.high, -high));
    struct scaled_pair e = exp_pair(high, low);
    return sign * scaled(e.high, e.exponent);
}

/* log(2^exponent * (1 + f)) for 1/sqrt(2) <= 1 + f <= sqrt(2) as a pair, with a relative error of about 2^-42: the power makes
   it up to 2^7 times larger. */
#define TWO_THIRDS 0x1.555556p-1f
#define TWO_THIRDS_LOW (-0x1.555556p-26f)

struct pair_f {
    float high;
    float low;
};

static inline struct pair_f log_pairf(float f, int exponent) {
    float sum = 2.0f + f;
    float inverse = 1.0f / sum;
    float s = f * inverse;
    float rest = __builtin_fmaf(-s, sum, f);
    rest = __builtin_fmaf(-s, f - (sum - 2.0f), rest) * inverse;
    /* log(1 + f) = 2 s + s^3 (2/3 + z T(z)), where s^3 and the factor have a lower part each. */
    float z = s * s;
    float z_low = __builtin_fmaf(s, s, -z);
    float cube = s * z;
    float cube_low = __builtin_fmaf(s, z, -cube) + __builtin_fmaf(s, z_low, 3.0f * z * rest);
    float tail = z * log_tail2f(z);
    float factor = TWO_THIRDS + tail;
    float factor_low = (tail - (factor - TWO_THIRDS)) + TWO_THIRDS_LOW;
    float product = cube * factor;
    float product_low = __builtin_fmaf(cube, factor, -product) + __builtin_fmaf(cube, factor_low, cube_low * factor);
    float k = float_of(exponent);
    float whole = k * LN2_HIGH_F;
    float first = whole + (s + s);
    float second = first + product;
    float lost = ((s + s) - (first - whole)) + (product - (second - first));
    lost += __builtin_fmaf(k, LN2_LOW_F, __builtin_fmaf(2.0f, rest, product_low));
    struct pair_f result;
    result.high = second + lost;
    result.low = lost - (result.high - second);
    return result;
}

float DEVICE(powf)(float x, float y) {
    float magnitude = __builtin_fabsf(x);
    if (UNLIKELY(!(is_positive_finitef(magnitude) & is_finitef(y)))) return (float)pow_limit(x, y);
    uint32 sign = 0;
    if (UNLIKELY(x < 0.0f)) {
        int parity = parity_off(y);
        if (parity == 0) return NAN_F;
        if (parity == 1) sign = SIGN_F;
    }
    struct split_f parts = splitf(magnitude);
    struct pair_f logarithm = log_pairf(parts.mantissa - 1.0f, parts.exponent);
    float high = y * logarithm.high;
    if (UNLIKELY(!(high < 89.0f && high > -104.0f))) return number_off((high > 0.0f ? INFINITE_F : 0u) | sign);
    float low = __builtin_fmaf(y, logarithm.low, __builtin_fmaf(y, logarithm.high, -high));
    struct reduced_exponentf power = reduce_exponentf(high);
    float value = exp_reducedf(power.r + low);
    value = scaledf(value, power.multiple);
    return number_off(bits_off(value) | sign);
}
