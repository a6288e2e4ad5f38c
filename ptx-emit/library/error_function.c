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

/* What the scaled function is at 4. */
#define ERFC_SCALED_0_F 0x1.3ba592p+0f
#define ERFC_SCALED_0_LOW_F (-0x1.22c050p-25f)

/* The same for 3/4 <= x < 10.2. */
static inline float erfc_of_largef(float x) {
    float q = (x - 4.0f) * (1.0f / (x + 4.0f));
    float square = x * x;
    struct reduced_exponentf parts = reduce_exponentf(-square);
    float r = parts.r + __builtin_fmaf(-x, x, square);
    /* The exponential and its rounding error. */
    float rest = __builtin_fmaf(r * r, exp_tailf(r), r);
    float e = 1.0f + rest;
    float low = rest - (e - 1.0f);
    float tail = q * erfc_scaled_tailf(q);
    float value = ERFC_SCALED_0_F + tail;
    float product = e * value;
    low = __builtin_fmaf(low, value, __builtin_fmaf(e, value, -product));
    low = __builtin_fmaf(e, (tail - (value - ERFC_SCALED_0_F)) + ERFC_SCALED_0_LOW_F, low);
    float divisor = __builtin_fmaf(2.0f, x, 1.0f);
    float inverse = 1.0f / divisor;
    float quotient = product * inverse;
    float lost = __builtin_fmaf(-quotient, __builtin_fmaf(2.0f, x, 1.0f - divisor), __builtin_fmaf(-quotient, divisor, product));
    return scaledf(__builtin_fmaf(lost + low, inverse, quotient), parts.multiple);
}

float DEVICE(erff)(float x) {
    float magnitude = __builtin_fabsf(x);
    if (magnitude < 1.0f) return __builtin_fmaf(x, erf_tailf(x * x), x);
    if (is_nanf(x)) return x;
    if (magnitude > 4.0f) return __builtin_copysignf(1.0f, x);
    return __builtin_copysignf(1.0f - erfc_of_largef(magnitude), x);
}

float DEVICE(erfcf)(float x) {
    if (is_nanf(x)) return x;
    if (x > 10.1f) return 0.0f;
    if (x < -4.0f) return 2.0f;
    float magnitude = __builtin_fabsf(x);
    if (magnitude < 0.75f) {
        float rest = 1.0f - x;
        return rest + __builtin_fmaf(-x, erf_tailf(x * x), (1.0f - rest) - x);
    }
    float value = erfc_of_largef(magnitude);
    return x < 0.0f ? 2.0f - value : value;
}
