/* Exponents and neighbours of numbers. */

#include "device.h"

double DEVICE(scalbn)(double x, int n) {
    /* Three steps reach everything; all but the last are exact, as long as the result of the last one is the first that
       can be subnormal. */
    if (n > 1023) {
        x *= 0x1p1023;
        n -= 1023;
        if (n > 1023) {
            x *= 0x1p1023;
            n = n - 1023 > 1023 ? 1023 : n - 1023;
        }
    } else if (n < -1022) {
        /* 53 bits are kept back, so that a number that stays normal until the end is rounded once. */
        x *= 0x1p-969;
        n += 969;
        if (n < -1022) {
            x *= 0x1p-969;
            n = n + 969 < -1022 ? -1022 : n + 969;
        }
    }
    return x * power_of_two(n);
}

float DEVICE(scalbnf)(float x, int n) {
    if (n > 127) {
        x *= 0x1p127f;
        n -= 127;
        if (n > 127) {
            x *= 0x1p127f;
            n = n - 127 > 127 ? 127 : n - 127;
        }
    } else if (n < -126) {
        x *= 0x1p-102f;
        n += 102;
        if (n < -126) {
            x *= 0x1p-102f;
            n = n + 102 < -126 ? -126 : n + 102;
        }
    }
    return x * power_of_twof(n);
}

static inline int clamped(long n) { return n > 10000 ? 10000 : n < -10000 ? -10000 : (int)n; }

double DEVICE(ldexp)(double x, int n) { return DEVICE(scalbn)(x, n); }
float DEVICE(ldexpf)(float x, int n) { return DEVICE(scalbnf)(x, n); }
double DEVICE(scalbln)(double x, long n) { return DEVICE(scalbn)(x, clamped(n)); }
float DEVICE(scalblnf)(float x, long n) { return DEVICE(scalbnf)(x, clamped(n)); }

double DEVICE(frexp)(double x, int *exponent) {
    uint64 bits = magnitude_bits(x);
    int shift = 0;
    *exponent = 0;
    if (bits == 0 || bits >= INFINITE_D) return x;
    if (bits <= FRACTION_D) {
        x *= 0x1p54;
        bits = magnitude_bits(x);
        shift = 54;
    }
    *exponent = (int)(bits >> 52) - 1022 - shift;
    return __builtin_copysign(number_of((bits & FRACTION_D) | 0x3fe0000000000000u), x);
}

float DEVICE(frexpf)(float x, int *exponent) {
    uint32 bits = magnitude_bitsf(x);
    int shift = 0;
    *exponent = 0;
    if (bits == 0 || bits >= INFINITE_F) return x;
    if (bits <= FRACTION_F) {
        x *= 0x1p25f;
        bits = magnitude_bitsf(x);
        shift = 25;
    }
    *exponent = (int)(bits >> 23) - 126 - shift;
    return __builtin_copysignf(number_off((bits & FRACTION_F) | 0x3f000000u), x);
}

/* The exponent of a finite number that is not zero. */
static inline int exponent_of(double x) {
    uint64 bits = magnitude_bits(x);
    if (bits <= FRACTION_D) return (int)(magnitude_bits(x * 0x1p54) >> 52) - 1023 - 54;
    return (int)(bits >> 52) - 1023;
}

int DEVICE(ilogb)(double x) {
    if (x == 0.0) return ILOGB_OF_ZERO;
    if (is_nan(x)) return ILOGB_OF_NAN;
    return is_infinite(x) ? 2147483647 : exponent_of(x);
}

double DEVICE(logb)(double x) {
    if (x == 0.0) return -INFINITY_D;
    return is_finite(x) ? exponent_of(x) : x * x;
}

/* A float's exponent is its exponent as a double. */
int DEVICE(ilogbf)(float x) { return DEVICE(ilogb)(x); }
float DEVICE(logbf)(float x) { return (float)DEVICE(logb)(x); }

double DEVICE(nextafter)(double x, double y) {
    if (is_nan(x) || is_nan(y)) return x + y;
    if (x == y) return y;
    if (x == 0.0) return __builtin_copysign(0x1p-1074, y);
    /* Magnitudes are ordered like their bits. */
    return number_of(bits_of(x) + ((x < y) == (x > 0.0) ? 1 : (uint64)-1));
}

float DEVICE(nextafterf)(float x, float y) {
    if (is_nanf(x) || is_nanf(y)) return x + y;
    if (x == y) return y;
    if (x == 0.0f) return __builtin_copysignf(0x1p-149f, y);
    return number_off(bits_off(x) + ((x < y) == (x > 0.0f) ? 1 : (uint32)-1));
}
