/* sin, cos, tan, sincos, and the reduction of huge angles. */

#include "cores.h"

/* 2/pi in words of 32 bits; the first is its integer part. */
static const uint32 two_over_pi[] = {
    0x00000000,
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
    0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,
    0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08,
    0x56033046,
};

/* Payne and Hanek: multiplies the integer mantissa by those 224 bits of 2/pi that matter for the result modulo 4. The
   words before them contribute multiples of 4, those after them less than 2^-138, while no double is closer to a
   multiple of pi/2 than 2^-62. */
OUT_OF_LINE struct reduced_angle DEVICE(reduce_huge_angle)(double x) {
    struct reduced_angle result;
    uint64 bits = magnitude_bits(x);
    if (bits >= INFINITE_D) {
        result.high = NAN_D;
        result.low = 0.0;
        result.quadrant = 0;
        return result;
    }
    uint64 mantissa = (bits & FRACTION_D) | 0x0010000000000000u;
    int exponent = (int)(bits >> 52) - 1075;
    int first = (exponent + 30) >> 5;
    uint64 low_half = mantissa & 0xffffffffu;
    uint64 high_half = mantissa >> 32;
    /* The product modulo 2^224, least significant word first. */
    uint32 product[7];
    uint64 carry = 0;
    uint64 previous = 0;
    for (int i = 0; i < 7; i++) {
        uint64 word = two_over_pi[first + 6 - i];
        uint64 sum = carry + low_half * word;
        uint64 other = (sum & 0xffffffffu) + (high_half * previous & 0xffffffffu);
        product[i] = (uint32)other;
        carry = (sum >> 32) + (high_half * previous >> 32) + (other >> 32);
        previous = word;
    }
    /* The two integer bits go to the top. */
    int shift = exponent - 32 * first + 30;
    uint64 words[3];
    for (int i = 0; i < 3; i++) {
        uint64 upper = ((uint64)product[6 - 2 * i] << 32 | product[5 - 2 * i]) << shift;
        uint64 lower = ((uint64)product[5 - 2 * i] << 32 | product[4 - 2 * i]) << shift;
        words[i] = (upper & 0xffffffff00000000u) | lower >> 32;
    }
    int quadrant = (int)(words[0] >> 62);
    uint64 high = words[0] << 2 | words[1] >> 62;
    uint64 low = words[1] << 2 | words[2] >> 62;
    double sign = 1.0;
    if (high >> 63) {
        quadrant++;
        sign = -1.0;
        high = ~high + (low == 0);
        low = ~low + 1;
    }
    int zeros = high ? __builtin_clzll(high) : 63;
    if (zeros > 0) {
        high = high << zeros | low >> (64 - zeros);
        low <<= zeros;
    }
    double unit = power_of_two(-53 - zeros) * sign;
    struct pair turn = make_pair((double)(high >> 11) * unit, (double)(high << 53 | low >> 11) * (unit * 0x1p-64));
    struct pair angle = pair_multiply(fast_two_sum(turn.high, turn.low), make_pair(PI_2_HIGH, PI_2_LOW));
    if (sign_of(x)) {
        angle = pair_negate(angle);
        quadrant = -quadrant;
    }
    result.high = angle.high;
    result.low = angle.low;
    result.quadrant = quadrant & 3;
    return result;
}

/* Without the lower part, off by an ulp at most. */
static inline struct reduced_angle reduce_angle_shortly(double x) {
    if (UNLIKELY(!(__builtin_fabs(x) < 0x1p22))) return DEVICE(reduce_huge_angle)(x);
    struct nearest_d multiple = nearest_multiple(x, TWO_OVER_PI);
    double rest = __builtin_fma(-multiple.number, PI_2_HIGH, x);
    rest = __builtin_fma(-multiple.number, PI_2_LOW, rest);
    struct reduced_angle result;
    result.high = __builtin_fma(multiple.number, PI_2_LOWEST, rest);
    result.low = 0.0;
    result.quadrant = multiple.integer & 3;
    return result;
}

/* -x if bit 1 of the quadrant is set. */
static inline double turned(double x, int quadrant) {
    return number_of(bits_of(x) ^ (uint64)(quadrant & 2) << 62);
}

static inline double short_sin_reduced(double r) {
    double z = r * r;
    return __builtin_fma(r * z, sin_tail(z), r);
}

static inline double short_cos_reduced(double r) {
    double z = r * r;
    return __builtin_fma(z, __builtin_fma(z, cos_tail(z), -0.5), 1.0);
}

/* Both are computed: the lanes of a warp rarely agree on one. */
static inline double sin_of_reduced(struct reduced_angle angle, int quadrant) {
    double sine = short_sin_reduced(angle.high), cosine = short_cos_reduced(angle.high);
    return turned(quadrant & 1 ? cosine : sine, quadrant);
}

double DEVICE(sin)(double x) {
    struct reduced_angle angle = reduce_angle_shortly(x);
    double value = sin_of_reduced(angle, angle.quadrant);
    /* The sum would lose the sign of zero. */
    return x == 0.0 ? x : value;
}

double DEVICE(cos)(double x) {
    struct reduced_angle angle = reduce_angle_shortly(x);
    return sin_of_reduced(angle, angle.quadrant + 1);
}

void DEVICE(sincos)(double x, double *sine, double *cosine) {
    struct reduced_angle angle = reduce_angle_shortly(x);
    double s = x == 0.0 ? x : short_sin_reduced(angle.high);
    double c = short_cos_reduced(angle.high);
    double sine_part = angle.quadrant & 1 ? c : s;
    double cosine_part = angle.quadrant & 1 ? s : c;
    *sine = turned(sine_part, angle.quadrant);
    *cosine = turned(cosine_part, angle.quadrant + 1);
}

double DEVICE(tan)(double x) {
    if (__builtin_fabs(x) < 0x1p-27) return x;
    struct reduced_angle angle = reduce_angle(x);
    struct pair s = sin_reduced(angle.high, angle.low);
    struct pair c = cos_reduced(angle.high, angle.low);
    if (angle.quadrant & 1) return pair_divide(pair_negate(c), s).high;
    return pair_divide(s, c).high;
}

/* x - quadrant * pi/2 in float; the angle alone is off by an ulp. */
struct reduced_anglef {
    float high;
    float low;
    int quadrant;
};

/* For angles where the products of the multiple with 24 bits of pi/2 would not be exact. */
OUT_OF_LINE static struct reduced_anglef reduce_large_anglef(float x) {
    struct reduced_angle angle = reduce_angle(x);
    struct reduced_anglef result;
    result.high = (float)angle.high;
    result.low = (float)(angle.high - (double)result.high);
    result.quadrant = angle.quadrant;
    return result;
}

static inline struct reduced_anglef reduce_anglef(float x) {
    if (UNLIKELY(!(__builtin_fabsf(x) < 0x1p16f))) return reduce_large_anglef(x);
    struct nearest_f multiple = nearest_multiplef(x, 0x1.45f306p-1f);
    /* The first step is exact: its result has no bit below the last of the product. */
    float rest = __builtin_fmaf(-multiple.number, PI_2_HIGH_F, x);
    float product = multiple.number * PI_2_LOW_F;
    float lost = __builtin_fmaf(multiple.number, PI_2_LOW_F, -product);
    float high = rest - product;
    float part = high - rest;
    float low = (rest - (high - part)) - (product + part);
    low = __builtin_fmaf(multiple.number, 0x1.ee59dap-50f, low - lost);
    struct reduced_anglef result;
    result.high = high + low;
    result.low = low - (result.high - high);
    result.quadrant = multiple.integer & 3;
    return result;
}

/* The same without the lower part, in a third of the steps. */
static inline struct reduced_anglef reduce_anglef_shortly(float x) {
    if (UNLIKELY(!(__builtin_fabsf(x) < 0x1p16f))) return reduce_large_anglef(x);
    struct nearest_f multiple = nearest_multiplef(x, 0x1.45f306p-1f);
    float rest = __builtin_fmaf(-multiple.number, PI_2_HIGH_F, x);
    rest = __builtin_fmaf(-multiple.number, PI_2_LOW_F, rest);
    struct reduced_anglef result;
    result.high = __builtin_fmaf(multiple.number, 0x1.ee59dap-50f, rest);
    result.low = 0.0f;
    result.quadrant = multiple.integer & 3;
    return result;
}

/* -x if bit 1 of the quadrant is set. */
static inline float turnedf(float x, int quadrant) {
    return number_off(bits_off(x) ^ (uint32)(quadrant & 2) << 30);
}

static inline float sin_of_reducedf(struct reduced_anglef angle, int quadrant) {
    float sine = sin_reducedf(angle.high), cosine = cos_reducedf(angle.high);
    return turnedf(quadrant & 1 ? cosine : sine, quadrant);
}

float DEVICE(sinf)(float x) {
    struct reduced_anglef angle = reduce_anglef_shortly(x);
    float value = sin_of_reducedf(angle, angle.quadrant);
    /* The sum would lose the sign of zero. */
    return x == 0.0f ? x : value;
}

float DEVICE(cosf)(float x) {
    struct reduced_anglef angle = reduce_anglef_shortly(x);
    return sin_of_reducedf(angle, angle.quadrant + 1);
}

void DEVICE(sincosf)(float x, float *sine, float *cosine) {
    struct reduced_anglef angle = reduce_anglef_shortly(x);
    float s = x == 0.0f ? x : sin_reducedf(angle.high);
    float c = cos_reducedf(angle.high);
    float sine_part = angle.quadrant & 1 ? c : s;
    float cosine_part = angle.quadrant & 1 ? s : c;
    *sine = turnedf(sine_part, angle.quadrant);
    *cosine = turnedf(cosine_part, angle.quadrant + 1);
}

float DEVICE(tanf)(float x) {
    if (__builtin_fabsf(x) < 0x1p-12f) return x;
    struct reduced_anglef angle = reduce_anglef(x);
    float r = angle.high;
    float z = r * r;
    float rest = r * z * tan_tailf(z);
    /* The derivative of tan is 1 + tan^2. */
    float tail = rest + __builtin_fmaf(angle.low * (r + rest), r + rest, angle.low);
    if (!(angle.quadrant & 1)) return r + tail;
    float high = r + tail;
    float low = tail - (high - r);
    float factor = -inversef(high);
    return __builtin_fmaf(factor, __builtin_fmaf(factor, high, 1.0f) + factor * low, factor);
}
