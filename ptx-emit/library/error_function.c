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

/* In double: the small results need more than a float's exponential, and the others nearly as much. */
float DEVICE(erfcf)(float x) { return (float)DEVICE(erfc)(x); }
