/* erf, erfc. */

#include "cores.h"

/* What the scaled function is at 4. */
#define ERFC_SCALED_0 0x1.3ba5916e9fd7fp+0
#define ERFC_SCALED_0_LOW (-0x1.aa9c415679e6fp-55)
#define ERFC_SCALED_0_F 0x1.3ba592p+0f
#define ERFC_SCALED_0_LOW_F (-0x1.22c050p-25f)

/* erfc(x) for 0 <= x < 28: exp(-x^2) times a scaled function that is smooth in (x - 4) / (x + 4), as Shepherd and
   Laframboise proposed. */
static inline double erfc_of_magnitude(double x) {
    double factor = inverse(x + 4.0);
    double q = (x - 4.0) * factor;
    /* q * (x + 4) = x - 4, without the roundings of the sums. */
    double rest = __builtin_fma(-q, x, __builtin_fma(q + 1.0, -4.0, x));
    struct pair place = fast_two_sum(q, rest * factor);
    q = place.high;
    double tail = q * erfc_scaled_tail(q);
    double value = ERFC_SCALED_0 + tail;
    double low = (tail - (value - ERFC_SCALED_0)) + ERFC_SCALED_0_LOW;
    /* The slope at q, which is 1.7 near -1: two digits do. */
    low = __builtin_fma(place.low, __builtin_fma(q, 0.9 * q, -0.9 * q), low);
    struct pair square = two_product(x, x);
    struct nearest_d multiple = nearest_multiple(-square.high, LOG2_E);
    double r = __builtin_fma(-multiple.number, LN2_HIGH, -square.high) + __builtin_fma(-multiple.number, LN2_LOW, -square.low);
    struct pair e = fast_two_sum(1.0, __builtin_fma(r * r, exp_tail(r), r));
    struct pair product = two_product(e.high, value);
    low = __builtin_fma(e.high, low, __builtin_fma(e.low, value, product.low));
    struct pair divisor = make_pair(__builtin_fma(2.0, x, 1.0), 0.0);
    divisor.low = __builtin_fma(2.0, x, 1.0 - divisor.high);
    struct pair quotient = pair_divide(make_pair(product.high, low), divisor);
    return scaled(quotient.high, multiple.integer);
}

double DEVICE(erf)(double x) {
    double magnitude = __builtin_fabs(x);
    if (magnitude < 1.0) return __builtin_fma(x, erf_tail(x * x), x);
    magnitude = magnitude > 6.0 ? 6.0 : magnitude;
    /* 1 - erfc(x), which is so much less than 1 that it needs no more digits than a double has: its parts as in
       erfc_of_magnitude. */
    double sum = magnitude + 4.0, divisor = __builtin_fma(2.0, magnitude, 1.0);
    double factor = inverse(sum * divisor);
    double q = (magnitude - 4.0) * (factor * divisor);
    double value = __builtin_fma(q, erfc_scaled_tail(q), ERFC_SCALED_0) * (factor * sum);
    double square = magnitude * magnitude;
    struct nearest_d multiple = nearest_multiple(-square, LOG2_E);
    double r = __builtin_fma(-multiple.number, LN2_HIGH, -square);
    r += __builtin_fma(-multiple.number, LN2_LOW, __builtin_fma(-magnitude, magnitude, square));
    double rest = short_exp_reduced(r) * value * power_of_two(multiple.integer);
    return __builtin_copysign(1.0 - rest, x);
}

double DEVICE(erfc)(double x) {
    double magnitude = __builtin_fabs(x);
    if (UNLIKELY(!(magnitude < 27.3))) return x > 0.0 ? 0.0 : x < 0.0 ? 2.0 : x;
    /* Lanes with small arguments would go another way than lanes with large ones. */
    double value = erfc_of_magnitude(magnitude);
    return x < 0.0 ? 2.0 - value : value;
}

/* erfcf(x) for 3/4 <= x < 10.2. */
static inline float erfc_of_largef(float x) {
    float q = (x - 4.0f) * inversef(x + 4.0f);
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
    float factor = inversef(divisor);
    float first = product * factor;
    float lost = __builtin_fmaf(-first, __builtin_fmaf(2.0f, x, 1.0f - divisor), __builtin_fmaf(-first, divisor, product));
    return scaledf(__builtin_fmaf(lost + low, factor, first), parts.multiple);
}

float DEVICE(erff)(float x) {
    float magnitude = __builtin_fabsf(x);
    float small = __builtin_fmaf(x, erf_tailf(x * x), x);
    float large = 1.0f - __builtin_accrue_exp2f(log2_erfcf(__builtin_fminf(magnitude, 4.0f)));
    return magnitude >= 1.0f ? __builtin_copysignf(large, x) : small;
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
