/* fmod, remainder, remquo: exact, by division of the mantissas as integers. */

#include "device.h"

/* A finite positive number as integer * 2^exponent. */
struct integral {
    uint64 integer;
    int exponent;
};

static inline struct integral integral(uint64 bits) {
    struct integral result;
    int biased = (int)(bits >> 52);
    result.integer = biased ? (bits & FRACTION_D) | 0x0010000000000000u : bits;
    result.exponent = biased ? biased : 1;
    return result;
}

/* The remainder of |x| / |y|, and the last bits of the quotient. */
struct division {
    double remainder;
    uint32 quotient;
};

/* For finite x and y, y not zero. */
static inline struct division divide(uint64 x_bits, uint64 y_bits) {
    struct division result;
    if (x_bits < y_bits) {
        result.remainder = number_of(x_bits);
        result.quotient = 0;
        return result;
    }
    struct integral x = integral(x_bits);
    struct integral y = integral(y_bits);
    int shift = x.exponent - y.exponent;
    uint64 rest = x.integer;
    uint32 quotient = 0;
    /* The rest has at most 53 bits, so 11 bits of the quotient come at once. */
    quotient = (uint32)(rest / y.integer);
    rest %= y.integer;
    while (shift > 0) {
        int step = shift < 11 ? shift : 11;
        rest <<= step;
        quotient = (quotient << step) + (uint32)(rest / y.integer);
        rest %= y.integer;
        shift -= step;
    }
    /* An integer below 2^53 times a power of two that is at least the least subnormal: exact. */
    int exponent = y.exponent - 1075;
    double value = (double)rest;
    result.remainder = exponent >= -1000 ? value * power_of_two(exponent) : value * 0x1p-1000 * power_of_two(exponent + 1000);
    result.quotient = quotient;
    return result;
}

double DEVICE(fmod)(double x, double y) {
    if (UNLIKELY(is_nan(x) || is_nan(y))) return x + y;
    if (UNLIKELY(!is_finite(x) || y == 0.0)) return NAN_D;
    if (is_infinite(y)) return x;
    return __builtin_copysign(divide(magnitude_bits(x), magnitude_bits(y)).remainder, x);
}

/* A float is a double whose remainder is a float, too. */
float DEVICE(fmodf)(float x, float y) { return (float)DEVICE(fmod)(x, y); }

double DEVICE(remquo)(double x, double y, int *quotient) {
    *quotient = 0;
    if (UNLIKELY(is_nan(x) || is_nan(y))) return x + y;
    if (UNLIKELY(!is_finite(x) || y == 0.0)) return NAN_D;
    if (is_infinite(y)) return x;
    struct division result = divide(magnitude_bits(x), magnitude_bits(y));
    double divisor = __builtin_fabs(y);
    double rest = result.remainder;
    /* Twice the rest against the divisor, where neither twice nor half of it loses bits. */
    double complement = divisor - rest;
    if (rest > complement || (rest == complement && (result.quotient & 1))) {
        rest = -complement;
        result.quotient++;
    }
    int low = (int)(result.quotient & 7);
    *quotient = sign_of(x) != sign_of(y) ? -low : low;
    /* A rest of zero has the sign of x. */
    return sign_of(x) ? -rest : rest;
}

float DEVICE(remquof)(float x, float y, int *quotient) { return (float)DEVICE(remquo)(x, y, quotient); }

double DEVICE(remainder)(double x, double y) {
    int quotient;
    return DEVICE(remquo)(x, y, &quotient);
}

float DEVICE(remainderf)(float x, float y) { return (float)DEVICE(remainder)(x, y); }
double DEVICE(drem)(double x, double y) { return DEVICE(remainder)(x, y); }
float DEVICE(dremf)(float x, float y) { return (float)DEVICE(remainder)(x, y); }
