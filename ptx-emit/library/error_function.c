/* erf, erfc. */

#include "cores.h"

/* erfc(x) for 1/2 <= x < 28: exp(-x^2) times a scaled function that is smooth in (x - 4) / (x + 4), as Shepherd and
   Laframboise proposed. */
static inline double erfc_of_large(double x) {
    struct pair q = pair_divide(two_sum(x, -4.0), two_sum(x, 4.0));
    double scaled_value = erfc_scaled(q.high);
    struct pair square = two_product(x, x);
    struct scaled_pair e = exp_pair(-square.high, -square.low);
    struct pair product = two_product(e.high, scaled_value);
    product.low = __builtin_fma(e.low, scaled_value, product.low);
    struct pair quotient = pair_divide(product, two_sum(1.0, 2.0 * x));
    return DEVICE(scalbn)(quotient.high, e.exponent);
}

double DEVICE(erf)(double x) {
    double magnitude = __builtin_fabs(x);
    if (magnitude < 1.0) return __builtin_fma(x, erf_tail(x * x), x);
    if (is_nan(x)) return x;
    if (magnitude > 6.0) return __builtin_copysign(1.0, x);
    return __builtin_copysign(1.0 - erfc_of_large(magnitude), x);
}

double DEVICE(erfc)(double x) {
    if (is_nan(x)) return x;
    if (x > 27.3) return 0.0;
    if (x < -6.0) return 2.0;
    double magnitude = __builtin_fabs(x);
    if (magnitude < 0.5) {
        double rest = x * erf_tail(x * x);
        struct pair sum = two_sum(1.0, -x);
        return sum.high + (sum.low - rest);
    }
    double value = erfc_of_large(magnitude);
    return x < 0.0 ? 2.0 - value : value;
}

static inline float erfc_of_largef(float x) {
    float inverse = 1.0f / (x + 4.0f);
    float q = (x - 4.0f) * inverse;
    float scaled_value = erfc_scaledf(q);
    float square = x * x;
    float low = __builtin_fmaf(x, x, -square);
    float e = DEVICE(expf)(-square);
    return __builtin_fmaf(-low, e, e) * (scaled_value / __builtin_fmaf(2.0f, x, 1.0f));
}

float DEVICE(erff)(float x) {
    float magnitude = __builtin_fabsf(x);
    if (magnitude < 1.0f) return __builtin_fmaf(x, erf_tailf(x * x), x);
    if (is_nanf(x)) return x;
    if (magnitude > 4.0f) return __builtin_copysignf(1.0f, x);
    return __builtin_copysignf(1.0f - erfc_of_largef(magnitude), x);
}

/* erfc(x) for 5/8 <= x < 11. What a result of 24 bits needs more is the rest of the exponential, of the divisor and of
   the products. */
static inline float erfcf_of_large(float x) {
    float q = (x - 4.0f) / (x + 4.0f);
    float scaled_value = erfc_scaledf(q);
    float divisor = __builtin_fmaf(2.0f, x, 1.0f);
    float lost = __builtin_fmaf(2.0f, x, 1.0f - divisor);
    float quotient = scaled_value / divisor;
    float rest = __builtin_fmaf(-quotient, lost, __builtin_fmaf(-quotient, divisor, scaled_value)) / divisor;
    float square = x * x;
    float square_low = __builtin_fmaf(x, x, -square);
    float multiple = __builtin_rintf(square * -LOG2_E_F);
    float whole = __builtin_fmaf(-multiple, LN2_HIGH_F, -square);
    float part = __builtin_fmaf(-multiple, LN2_LOW_F, -square_low);
    float r = whole + part;
    float low = part - (r - whole);
    float tail = __builtin_fmaf(r * r, exp_tailf(r), __builtin_fmaf(low, r, low));
    float high = 1.0f + r;
    tail += r - (high - 1.0f);
    float product = high * quotient;
    float product_low = __builtin_fmaf(high, quotient, -product);
    product_low = __builtin_fmaf(tail, quotient, __builtin_fmaf(high, rest, product_low));
    return scaledf(product + product_low, (int)multiple);
}

float DEVICE(erfcf)(float x) {
    if (is_nanf(x)) return x;
    if (x > 10.1f) return 0.0f;
    if (x < -4.0f) return 2.0f;
    float magnitude = __builtin_fabsf(x);
    if (magnitude < 0.625f) {
        float rest = x * erf_tailf(x * x);
        float high = 1.0f - x;
        return high + (((1.0f - high) - x) - rest);
    }
    float value = erfcf_of_large(magnitude);
    return x < 0.0f ? 2.0f - value : value;
}
