/* What the compiler calls where complex numbers and 128-bit integers are more than a few operations: see
   ptx-emit/src/scalarize. Each function gives one part of the result. The host's helpers compute the same, bit for bit. */

#include "device.h"

struct quotient {
    double re, im;
};

#define HALF_OF_LARGEST (__DBL_MAX__ / 2)
#define ROOM (HALF_OF_LARGEST * __DBL_EPSILON__)

static inline double direction(double x) { return __builtin_copysign(__builtin_isinf(x) ? 1.0 : 0.0, x); }

/* C11 Annex G: what came out as two NaNs, but is an infinity or a zero. */
static struct quotient recovered(struct quotient q, double a, double b, double c, double d) {
    if (q.re == q.re || q.im == q.im)
        return q;
    double factor;
    if (c == 0 && d == 0 && (a == a || b == b)) {
        double infinity = __builtin_copysign(INFINITY_D, c);
        return (struct quotient){infinity * a, infinity * b};
    } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
        a = direction(a);
        b = direction(b);
        factor = INFINITY_D;
    } else if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) {
        c = direction(c);
        d = direction(d);
        factor = 0;
    } else {
        return q;
    }
    return (struct quotient){factor * (a * c + b * d), factor * (b * c - a * d)};
}

static inline int vanishes(double x, double other, double divisor) {
    return __builtin_fabs(x) < __DBL_MIN__ && __builtin_fabs(other) < ROOM && divisor < ROOM;
}

static inline double larger(double c, double d) {
    c = __builtin_fabs(c);
    d = __builtin_fabs(d);
    return c < d ? d : c;
}

/* Smith's method as Baudin and Smith made it robust (2012). */
static struct quotient divided(double a, double b, double c, double d) {
    if (larger(c, d) >= HALF_OF_LARGEST) {
        a /= 2;
        b /= 2;
        c /= 2;
        d /= 2;
    }
    double divisor = larger(c, d);
    if (divisor < __DBL_EPSILON__ || vanishes(a, b, divisor) || vanishes(b, a, divisor)) {
        a /= __DBL_EPSILON__;
        b /= __DBL_EPSILON__;
        c /= __DBL_EPSILON__;
        d /= __DBL_EPSILON__;
    }
    int imaginary_leads = __builtin_fabs(c) < __builtin_fabs(d);
    double large = imaginary_leads ? d : c, small = imaginary_leads ? c : d;
    double u = imaginary_leads ? a : b, v = imaginary_leads ? b : a;
    double ratio = small / large;
    double denominator = small * ratio + large;
    int keeps = __builtin_fabs(ratio) > __DBL_MIN__;
    double ur = keeps ? u * ratio : small * (u / large);
    double vr = keeps ? v * ratio : small * (v / large);
    struct quotient q = {(ur + v) / denominator, (imaginary_leads ? vr - u : u - vr) / denominator};
    return recovered(q, a, b, c, d);
}

/* In double, nothing overflows. */
static struct quotient divided_f(double a, double b, double c, double d) {
    double denominator = c * c + d * d;
    struct quotient q = {(a * c + b * d) / denominator, (b * c - a * d) / denominator};
    return recovered(q, a, b, c, d);
}

double DEVICE(complex_div_re_f64)(double a, double b, double c, double d) { return divided(a, b, c, d).re; }
double DEVICE(complex_div_im_f64)(double a, double b, double c, double d) { return divided(a, b, c, d).im; }
float DEVICE(complex_div_re_f32)(float a, float b, float c, float d) { return (float)divided_f(a, b, c, d).re; }
float DEVICE(complex_div_im_f32)(float a, float b, float c, float d) { return (float)divided_f(a, b, c, d).im; }

/* A product that came out as two NaNs (C11 Annex G). Infinities times finite numbers are infinities in either width. */
static struct quotient multiplied(double a, double b, double c, double d) {
    int again = 0;
    if (__builtin_isinf(a) || __builtin_isinf(b)) {
        a = direction(a);
        b = direction(b);
        if (c != c)
            c = __builtin_copysign(0.0, c);
        if (d != d)
            d = __builtin_copysign(0.0, d);
        again = 1;
    }
    if (__builtin_isinf(c) || __builtin_isinf(d)) {
        c = direction(c);
        d = direction(d);
        if (a != a)
            a = __builtin_copysign(0.0, a);
        if (b != b)
            b = __builtin_copysign(0.0, b);
        again = 1;
    }
    if (!again) {
        if (!__builtin_isinf(a * c) && !__builtin_isinf(b * d) && !__builtin_isinf(a * d) && !__builtin_isinf(b * c))
            return (struct quotient){NAN_D, NAN_D};
        if (a != a)
            a = __builtin_copysign(0.0, a);
        if (b != b)
            b = __builtin_copysign(0.0, b);
        if (c != c)
            c = __builtin_copysign(0.0, c);
        if (d != d)
            d = __builtin_copysign(0.0, d);
    }
    return (struct quotient){INFINITY_D * (a * c - b * d), INFINITY_D * (a * d + b * c)};
}

/* Products of finite floats that overflow do so in float only. */
static inline int overflows_f(float x, float y) { return __builtin_isinf(x * y); }

static struct quotient multiplied_f(float a, float b, float c, float d) {
    int some_infinite = __builtin_isinf(a) || __builtin_isinf(b) || __builtin_isinf(c) || __builtin_isinf(d);
    if (!some_infinite && (overflows_f(a, c) || overflows_f(b, d) || overflows_f(a, d) || overflows_f(b, c))) {
        double w = a != a ? __builtin_copysign(0.0, a) : a, x = b != b ? __builtin_copysign(0.0, b) : b;
        double y = c != c ? __builtin_copysign(0.0, c) : c, z = d != d ? __builtin_copysign(0.0, d) : d;
        return (struct quotient){INFINITY_D * (w * y - x * z), INFINITY_D * (w * z + x * y)};
    }
    return multiplied(a, b, c, d);
}

OUT_OF_LINE double DEVICE(complex_mul_re_f64)(double a, double b, double c, double d) { return multiplied(a, b, c, d).re; }
OUT_OF_LINE double DEVICE(complex_mul_im_f64)(double a, double b, double c, double d) { return multiplied(a, b, c, d).im; }
OUT_OF_LINE float DEVICE(complex_mul_re_f32)(float a, float b, float c, float d) { return (float)multiplied_f(a, b, c, d).re; }
OUT_OF_LINE float DEVICE(complex_mul_im_f32)(float a, float b, float c, float d) { return (float)multiplied_f(a, b, c, d).im; }

/* 128-bit division, one bit at a time. */

struct wide {
    uint64 low, high;
};

static inline struct wide negated(struct wide x) {
    return (struct wide){0 - x.low, ~x.high + (x.low == 0)};
}

OUT_OF_LINE static struct wide divided_wide(struct wide a, struct wide b, struct wide *remainder) {
    struct wide q = {0, 0}, r = {0, 0};
    for (int bit = 127; bit >= 0; bit--) {
        uint64 next = (bit >= 64 ? a.high >> (bit - 64) : a.low >> bit) & 1;
        int carry = (int)(r.high >> 63);
        r.high = r.high << 1 | r.low >> 63;
        r.low = r.low << 1 | next;
        if (carry || r.high > b.high || (r.high == b.high && r.low >= b.low)) {
            r.high = r.high - b.high - (r.low < b.low);
            r.low -= b.low;
            if (bit >= 64)
                q.high |= 1ull << (bit - 64);
            else
                q.low |= 1ull << bit;
        }
    }
    *remainder = r;
    return q;
}

static struct wide quotient_of(struct wide a, struct wide b, int is_signed, int wants_remainder) {
    int a_negative = is_signed && a.high >> 63, b_negative = is_signed && b.high >> 63;
    struct wide r, q = divided_wide(a_negative ? negated(a) : a, b_negative ? negated(b) : b, &r);
    if (wants_remainder)
        return a_negative ? negated(r) : r;
    return a_negative != b_negative ? negated(q) : q;
}

#define WIDE_DIVISION(name, is_signed, wants_remainder)                                                              \
    uint64 DEVICE(int128_##name##_low)(uint64 al, uint64 ah, uint64 bl, uint64 bh) {                                   \
        return quotient_of((struct wide){al, ah}, (struct wide){bl, bh}, is_signed, wants_remainder).low;             \
    }                                                                                                                \
    uint64 DEVICE(int128_##name##_high)(uint64 al, uint64 ah, uint64 bl, uint64 bh) {                                  \
        return quotient_of((struct wide){al, ah}, (struct wide){bl, bh}, is_signed, wants_remainder).high;            \
    }

WIDE_DIVISION(sdiv, 1, 0)
WIDE_DIVISION(udiv, 0, 0)
WIDE_DIVISION(srem, 1, 1)
WIDE_DIVISION(urem, 0, 1)

/* The 64 leading bits with a bit that stands for what follows: rounding them rounds the whole. */
static double magnitude_to_double(struct wide x) {
    if (x.high == 0)
        return (double)x.low;
    int shift = 64 - __builtin_clzll(x.high);
    uint64 lost = shift == 64 ? x.low : x.low << (64 - shift);
    uint64 top = shift == 64 ? x.high : x.high << (64 - shift) | x.low >> shift;
    double scale = number_of((uint64)(1023 + shift) << 52);
    return (double)(top | (lost != 0)) * scale;
}

static float magnitude_to_float(struct wide x) {
    if (x.high == 0)
        return (float)x.low;
    int shift = 64 - __builtin_clzll(x.high);
    uint64 lost = shift == 64 ? x.low : x.low << (64 - shift);
    uint64 top = shift == 64 ? x.high : x.high << (64 - shift) | x.low >> shift;
    return (float)(top | (lost != 0)) * (float)number_of((uint64)(1023 + shift) << 52);
}

double DEVICE(int128_unsigned_to_f64)(uint64 low, uint64 high) {
    return magnitude_to_double((struct wide){low, high});
}
float DEVICE(int128_unsigned_to_f32)(uint64 low, uint64 high) {
    return magnitude_to_float((struct wide){low, high});
}
double DEVICE(int128_signed_to_f64)(uint64 low, uint64 high) {
    struct wide x = {low, high};
    return high >> 63 ? -magnitude_to_double(negated(x)) : magnitude_to_double(x);
}
float DEVICE(int128_signed_to_f32)(uint64 low, uint64 high) {
    struct wide x = {low, high};
    return high >> 63 ? -magnitude_to_float(negated(x)) : magnitude_to_float(x);
}

static struct wide from_double(double x) {
    uint64 bits = bits_of(x);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1075;
    uint64 fraction = (bits & FRACTION_D) | FRACTION_D + 1;
    struct wide result = {0, 0};
    if (exponent >= 75)
        return (struct wide){0, 1ull << 63};
    if (exponent >= 64)
        result.high = fraction << (exponent - 64);
    else if (exponent > 0)
        result = (struct wide){fraction << exponent, fraction >> (64 - exponent)};
    else if (exponent == 0)
        result.low = fraction;
    else if (exponent > -53)
        result.low = fraction >> -exponent;
    return bits >> 63 ? negated(result) : result;
}

uint64 DEVICE(int128_signed_from_f64_low)(double x) { return from_double(x).low; }
uint64 DEVICE(int128_signed_from_f64_high)(double x) { return from_double(x).high; }
uint64 DEVICE(int128_unsigned_from_f64_low)(double x) { return from_double(x).low; }
uint64 DEVICE(int128_unsigned_from_f64_high)(double x) { return from_double(x).high; }
uint64 DEVICE(int128_signed_from_f32_low)(float x) { return from_double(x).low; }
uint64 DEVICE(int128_signed_from_f32_high)(float x) { return from_double(x).high; }
uint64 DEVICE(int128_unsigned_from_f32_low)(float x) { return from_double(x).low; }
uint64 DEVICE(int128_unsigned_from_f32_high)(float x) { return from_double(x).high; }
