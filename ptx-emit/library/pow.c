/* pow. */

#include "cores.h"

/* 0: no integer, 1: odd, 2: even. */
static inline int parity_of(double y) {
    double magnitude = __builtin_fabs(y);
    if (__builtin_trunc(magnitude) != magnitude) return 0;
    if (magnitude >= 0x1p53) return 2;
    return (int64)magnitude & 1 ? 1 : 2;
}

/* x^y where x is zero or infinite, or one of them is no number. */
static inline double pow_limit(double x, double y) {
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
    if (x == 1.0 || y == 0.0) return 1.0;
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

/* In double: the logarithm's error grows by up to 2^7, which leaves 20 bits more than a float has. */
float DEVICE(powf)(float x, float y) {
    if (x == 1.0f || y == 0.0f) return 1.0f;
    float magnitude = __builtin_fabsf(x);
    if (UNLIKELY(!(magnitude > 0.0f && magnitude < INFINITY_F && is_finitef(y)))) return (float)pow_limit(x, y);
    float sign = 1.0f;
    if (x < 0.0f) {
        int parity = parity_of(y);
        if (parity == 0) return NAN_F;
        if (parity == 1) sign = -1.0f;
    }
    struct split_f parts = splitf(magnitude);
    double f = (double)parts.mantissa - 1.0;
    double s = f / (2.0 + f);
    double z = s * s;
    double k = parts.exponent;
    double logarithm = __builtin_fma(k, 0x1.62e42fefa39efp-1, f - s * __builtin_fma(-z, log_tail(z), f));
    double exponent = (double)y * logarithm;
    if (UNLIKELY(!(exponent < 89.0 && exponent > -104.0))) return sign * (exponent > 0.0 ? INFINITY_F : 0.0f);
    double multiple = __builtin_rint(exponent * LOG2_E);
    double r = __builtin_fma(-multiple, 0x1.62e42fefa39efp-1, exponent);
    double value = 1.0 + __builtin_fma(r * r, exp_tail(r), r);
    return sign * (float)(value * power_of_two((int)multiple));
}
