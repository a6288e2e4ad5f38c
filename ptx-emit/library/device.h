/* What the sources of the device math library share: names, types, access to the bits of a number, and arithmetic on
   pairs of numbers. See README.md for the rules. */

#ifndef ACCRUE_DEVICE_H
#define ACCRUE_DEVICE_H

#include "polynomials.h"

/* The name under which the emitter calls the C function. */
#define DEVICE(name) __accrue_##name

typedef signed int int32;
typedef unsigned int uint32;
typedef signed long long int64;
typedef unsigned long long uint64;
typedef __SIZE_TYPE__ size;

#define INFINITY_D __builtin_inf()
#define INFINITY_F __builtin_inff()
#define NAN_D __builtin_nan("")
#define NAN_F __builtin_nanf("")

/* Results that C leaves to the implementation; these are the values of the host's <math.h>. */
#define ILOGB_OF_ZERO (-2147483647 - 1)
#define ILOGB_OF_NAN (-2147483647 - 1)

/* Before a function that is not put in the place of its calls: few arguments lead to it, or it takes so long that a call
   does not matter. */
#define OUT_OF_LINE __attribute__((noinline))

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* Bits. */

#define SIGN_D 0x8000000000000000u
#define MAGNITUDE_D 0x7fffffffffffffffu
#define INFINITE_D 0x7ff0000000000000u
#define FRACTION_D 0x000fffffffffffffu
#define ONE_D 0x3ff0000000000000u
#define SIGN_F 0x80000000u
#define MAGNITUDE_F 0x7fffffffu
#define INFINITE_F 0x7f800000u
#define FRACTION_F 0x007fffffu
#define ONE_F 0x3f800000u

union bits_d {
    double number;
    uint64 bits;
};

union bits_f {
    float number;
    uint32 bits;
};

static inline uint64 bits_of(double x) {
    union bits_d both;
    both.number = x;
    return both.bits;
}

static inline double number_of(uint64 bits) {
    union bits_d both;
    both.bits = bits;
    return both.number;
}

static inline uint32 bits_off(float x) {
    union bits_f both;
    both.number = x;
    return both.bits;
}

static inline float number_off(uint32 bits) {
    union bits_f both;
    both.bits = bits;
    return both.number;
}

/* A device's approximate instructions, for tests with other compilers. */
#ifndef __ACCRUE__
static inline double upper_half(double x) { return number_of(bits_of(x) & 0xffffffff00000000u); }

#define __builtin_accrue_exp2f __builtin_exp2f
#define __builtin_accrue_reciprocal(x) upper_half(1.0 / (x))
#define __builtin_accrue_reciprocalf(x) (1.0f / (x))
#define __builtin_accrue_rsqrt(x) upper_half(1.0 / __builtin_sqrt(x))
#define __builtin_accrue_rsqrtf(x) (1.0f / __builtin_sqrtf(x))
#endif

static inline uint64 magnitude_bits(double x) { return bits_of(x) & MAGNITUDE_D; }
/* The upper halves of them, by which numbers are compared with one of few bits while the arithmetic of doubles has other work. */
static inline uint32 upper_bits(double x) { return (uint32)(bits_of(x) >> 32); }
static inline uint32 upper_magnitude(double x) { return upper_bits(x) & (uint32)(MAGNITUDE_D >> 32); }
static inline uint32 magnitude_bitsf(float x) { return bits_off(x) & MAGNITUDE_F; }
static inline int is_nan(double x) { return x != x; }
static inline int is_nanf(float x) { return x != x; }
static inline int is_finite(double x) { return magnitude_bits(x) < INFINITE_D; }
static inline int is_finitef(float x) { return magnitude_bitsf(x) < INFINITE_F; }
static inline int is_infinite(double x) { return magnitude_bits(x) == INFINITE_D; }
static inline int is_infinitef(float x) { return magnitude_bitsf(x) == INFINITE_F; }
static inline int sign_of(double x) { return (int)(bits_of(x) >> 63); }
static inline int sign_off(float x) { return (int)(bits_off(x) >> 31); }

/* 2^k for a normal result: -1022 <= k <= 1023. */
static inline double power_of_two(int k) { return number_of((uint64)(k + 1023) << 52); }

/* 2^k for a normal result: -126 <= k <= 127. */
static inline float power_of_twof(int k) { return number_off((uint32)(k + 127) << 23); }

/* x * 2^k for a normal result: the exponent grows. */
static inline double moved(double x, int k) { return number_of(bits_of(x) + ((uint64)k << 52)); }
static inline float movedf(float x, int k) { return number_off(bits_off(x) + ((uint32)k << 23)); }

/* x * 2^k for 2^-20 <= |x| < 4 and -1100 <= k <= 1100: in two steps, because 2^k itself may not exist. Only the last one
   rounds, and only to a subnormal result. */
static inline double scaled(double x, int k) {
    int half = k >> 1;
    return x * power_of_two(half) * power_of_two(k - half);
}

/* The same where x is not zero, which has no exponent that could grow. */
static inline double scaled_normal(double x, int k) {
    int half = k >> 1;
    return moved(x, half) * power_of_two(k - half);
}

/* The same for -200 <= k <= 200. */
static inline float scaledf(float x, int k) {
    int half = k >> 1;
    return x * power_of_twof(half) * power_of_twof(k - half);
}

/* x * factor to the nearest integer, for results below 2^31 and 2^22: the sum with a number so large that its last bit counts
   as 1. A GPU makes few conversions at a time, and has many adders. */

struct nearest_d {
    double number;
    int integer;
};

struct nearest_f {
    float number;
    int integer;
};

static inline struct nearest_d nearest_multiple(double x, double factor) {
    double shifted = __builtin_fma(x, factor, 0x1.8p52);
    struct nearest_d result;
    result.number = shifted - 0x1.8p52;
    result.integer = (int)(uint32)bits_of(shifted);
    return result;
}

static inline struct nearest_f nearest_multiplef(float x, float factor) {
    float shifted = __builtin_fmaf(x, factor, 0x1.8p23f);
    struct nearest_f result;
    result.number = shifted - 0x1.8p23f;
    result.integer = (int)(bits_off(shifted) - 0x4b400000u);
    return result;
}

/* The same the other way, for |k| < 2^22. */
static inline float float_of(int k) { return number_off(0x4b400000u + (uint32)k) - 0x1.8p23f; }

/* A finite positive number as mantissa * 2^exponent with 1/sqrt(2) <= mantissa < sqrt(2). */
struct split_d {
    double mantissa;
    int exponent;
};

struct split_f {
    float mantissa;
    int exponent;
};

static inline int is_positive_normal(double x) { return upper_bits(x) - 0x00100000u < 0x7fe00000u; }
static inline int is_positive_normalf(float x) { return bits_off(x) - 0x00800000u < 0x7f000000u; }
static inline int is_positive_finite(double x) { return bits_of(x) - 1 < INFINITE_D - 1; }
static inline int is_positive_finitef(float x) { return bits_off(x) - 1 < INFINITE_F - 1; }

static inline struct split_d split_normal(double x) {
    /* Adding the distance from 1/sqrt(2) to 1 carries into the exponent exactly for mantissas from sqrt(2) on. */
    uint64 bits = bits_of(x) + (ONE_D - 0x3fe6a09e667f3bcdu);
    struct split_d result;
    result.mantissa = number_of((bits & FRACTION_D) + 0x3fe6a09e667f3bcdu);
    result.exponent = (int)(bits >> 52) - 1023;
    return result;
}

static inline struct split_f split_normalf(float x) {
    uint32 bits = bits_off(x) + (ONE_F - 0x3f3504f3u);
    struct split_f result;
    result.mantissa = number_off((bits & FRACTION_F) + 0x3f3504f3u);
    result.exponent = (int)(bits >> 23) - 127;
    return result;
}

static inline struct split_d split(double x) {
    if (LIKELY(is_positive_normal(x))) return split_normal(x);
    struct split_d result = split_normal(x * 0x1p54);
    result.exponent -= 54;
    return result;
}

static inline struct split_f splitf(float x) {
    int is_subnormal = x < 0x1p-126f;
    struct split_f result = split_normalf(is_subnormal ? x * 0x1p25f : x);
    result.exponent -= is_subnormal ? 25 : 0;
    return result;
}

/* 1 / x, off by an ulp at most, for 2^-1000 < |x| < 2^1000: without the branch for other numbers that a division has. The
   instruction has 20 bits, which one step triples. */
static inline double inverse(double x) {
    double first = __builtin_accrue_reciprocal(x);
    double error = __builtin_fma(-x, first, 1.0);
    return __builtin_fma(first, __builtin_fma(error, error, error), first);
}

/* a / b likewise, nearly always rounded to nearest, unless a or the quotient is close to the ends of the range. */
static inline double quotient(double a, double b) {
    double factor = inverse(b);
    double first = a * factor;
    return __builtin_fma(__builtin_fma(-first, b, a), factor, first);
}

/* 1 / x and a / b of floats, for numbers to divide by between 2^-120 and 2^120; the instruction is off by an ulp. */
static inline float inversef(float x) {
    float first = __builtin_accrue_reciprocalf(x);
    return __builtin_fmaf(first, __builtin_fmaf(-x, first, 1.0f), first);
}

static inline float quotientf(float a, float b) {
    float factor = __builtin_accrue_reciprocalf(b);
    float first = a * factor;
    return __builtin_fmaf(__builtin_fmaf(-first, b, a), factor, first);
}

/* The root of x and half its inverse, off by an ulp at most, for 2^-1000 < x < 2^1000. */
struct root_d {
    double root;
    double half_inverse;
};

static inline struct root_d root_of(double x) {
    double first = __builtin_accrue_rsqrt(x);
    double root = x * first;
    double half = 0.5 * first;
    double error = __builtin_fma(-root, half, 0.5);
    root = __builtin_fma(root, error, root);
    half = __builtin_fma(half, error, half);
    struct root_d result;
    result.root = __builtin_fma(__builtin_fma(-root, root, x), half, root);
    result.half_inverse = half;
    return result;
}

/* Pairs: the unevaluated sum of a number and its rounding error, which is at most half an ulp of it. */

struct pair {
    double high;
    double low;
};

static inline struct pair make_pair(double high, double low) {
    struct pair result;
    result.high = high;
    result.low = low;
    return result;
}

/* a + b exactly. */
static inline struct pair two_sum(double a, double b) {
    double sum = a + b;
    double part = sum - a;
    return make_pair(sum, (a - (sum - part)) + (b - part));
}

/* a + b exactly, for |a| >= |b| or a = 0. */
static inline struct pair fast_two_sum(double a, double b) {
    double sum = a + b;
    return make_pair(sum, b - (sum - a));
}

/* a * b exactly, unless the error underflows. */
static inline struct pair two_product(double a, double b) {
    double product = a * b;
    return make_pair(product, __builtin_fma(a, b, -product));
}

static inline struct pair pair_add(struct pair a, struct pair b) {
    struct pair sum = two_sum(a.high, b.high);
    struct pair rest = two_sum(a.low, b.low);
    sum = fast_two_sum(sum.high, sum.low + rest.high);
    return fast_two_sum(sum.high, sum.low + rest.low);
}

static inline struct pair pair_add_number(struct pair a, double b) {
    struct pair sum = two_sum(a.high, b);
    return fast_two_sum(sum.high, sum.low + a.low);
}

static inline struct pair pair_multiply(struct pair a, struct pair b) {
    struct pair product = two_product(a.high, b.high);
    double rest = __builtin_fma(a.high, b.low, __builtin_fma(a.low, b.high, product.low));
    return fast_two_sum(product.high, rest);
}

static inline struct pair pair_multiply_number(struct pair a, double b) {
    struct pair product = two_product(a.high, b);
    return fast_two_sum(product.high, __builtin_fma(a.low, b, product.low));
}

/* a / b, for 2^-1000 < |b| < 2^1000. */
static inline struct pair pair_divide(struct pair a, struct pair b) {
    double factor = inverse(b.high);
    double quotient = a.high * factor;
    double rest = __builtin_fma(-quotient, b.high, a.high);
    rest = __builtin_fma(-quotient, b.low, rest + a.low);
    return fast_two_sum(quotient, rest * factor);
}

/* Square root of a pair, for 2^-1000 < a < 2^1000. */
static inline struct pair pair_square_root(struct pair a) {
    struct root_d root = root_of(a.high);
    double rest = __builtin_fma(-root.root, root.root, a.high) + a.low;
    return fast_two_sum(root.root, rest * root.half_inverse);
}

static inline struct pair pair_negate(struct pair a) { return make_pair(-a.high, -a.low); }

/* Declarations of the functions that another source calls. */

double DEVICE(exp)(double);
float DEVICE(expf)(float);
double DEVICE(expm1)(double);
float DEVICE(expm1f)(float);
double DEVICE(log)(double);
float DEVICE(logf)(float);
double DEVICE(log1p)(double);
float DEVICE(log1pf)(float);
double DEVICE(pow)(double, double);
double DEVICE(sin)(double);
float DEVICE(sinf)(float);
double DEVICE(cos)(double);
float DEVICE(cosf)(float);
double DEVICE(tan)(double);
float DEVICE(tanf)(float);
void DEVICE(sincos)(double, double *, double *);
void DEVICE(sincosf)(float, float *, float *);
double DEVICE(atan2)(double, double);
float DEVICE(atan2f)(float, float);
double DEVICE(sinh)(double);
float DEVICE(sinhf)(float);
double DEVICE(cosh)(double);
float DEVICE(coshf)(float);
double DEVICE(tanh)(double);
float DEVICE(tanhf)(float);
double DEVICE(erfc)(double);
double DEVICE(hypot)(double, double);
float DEVICE(hypotf)(float, float);
double DEVICE(fmod)(double, double);
float DEVICE(fmodf)(float, float);
double DEVICE(scalbn)(double, int);
float DEVICE(scalbnf)(float, int);
double DEVICE(lgamma)(double);
double DEVICE(tgamma)(double);
double DEVICE(remquo)(double, double, int *);
float DEVICE(remquof)(float, float, int *);

#endif
