/* sqrt, cbrt, hypot. */

#include "cores.h"

double DEVICE(sqrt)(double x) { return __builtin_sqrt(x); }
float DEVICE(sqrtf)(float x) { return __builtin_sqrtf(x); }

double DEVICE(cbrt)(double x) {
    uint64 bits = magnitude_bits(x);
    if (UNLIKELY(bits == 0 || bits >= INFINITE_D)) return x;
    int exponent = 0;
    if (UNLIKELY(bits < 0x0010000000000000u)) {
        bits = magnitude_bits(x * 0x1p54);
        exponent = -54;
    }
    exponent += (int)(bits >> 52) - 1022;
    /* x = m * 2^(3 third + rest) with 1/2 <= m < 1 and rest 0, 1, 2. */
    int third = (exponent + 3 * 400) / 3 - 400;
    int rest = exponent - 3 * third;
    double m = number_of((bits & FRACTION_D) | 0x3fe0000000000000u);
    double root = cube_root_start(m) * (rest == 0 ? 1.0 : rest == 1 ? 0x1.428a2f98d728bp+0 : 0x1.965fea53d6e3dp+0);
    m *= (double)(1 << rest);
    /* Halley's step makes three times as many bits; Newton's, with an exact residue, rounds them. */
    double cube = root * root * root;
    root = __builtin_fma(root * (m - cube), inverse(__builtin_fma(2.0, cube, m)), root);
    struct pair square = two_product(root, root);
    double residue = __builtin_fma(square.high, root, -m) + square.low * root;
    root = __builtin_fma(-residue, __builtin_accrue_reciprocal(3.0 * square.high), root);
    return __builtin_copysign(root * power_of_two(third), x);
}

float DEVICE(cbrtf)(float x) {
    uint32 bits = magnitude_bitsf(x);
    if (UNLIKELY(bits == 0 || bits >= INFINITE_F)) return x;
    int exponent = 0;
    if (UNLIKELY(bits < 0x00800000u)) {
        bits = magnitude_bitsf(x * 0x1p24f);
        exponent = -24;
    }
    exponent += (int)(bits >> 23) - 126;
    int third = (exponent + 3 * 60) / 3 - 60;
    int rest = exponent - 3 * third;
    float m = number_off((bits & FRACTION_F) | 0x3f000000u);
    float root = cube_root_startf(m) * (rest == 0 ? 1.0f : rest == 1 ? 0x1.428a30p+0f : 0x1.965feap+0f);
    m *= (float)(1 << rest);
    float square = root * root;
    float low = __builtin_fmaf(root, root, -square);
    float residue = __builtin_fmaf(square, root, -m) + low * root;
    root = __builtin_fmaf(-residue, __builtin_accrue_reciprocalf(3.0f * square), root);
    return __builtin_copysignf(root * power_of_twof(third), x);
}

double DEVICE(hypot)(double x, double y) {
    if (UNLIKELY(!(is_finite(x) & is_finite(y)))) return is_infinite(x) || is_infinite(y) ? INFINITY_D : x + y;
    double larger = __builtin_fmax(__builtin_fabs(x), __builtin_fabs(y));
    double smaller = __builtin_fmin(__builtin_fabs(x), __builtin_fabs(y));
    int is_large = larger > 0x1p500, is_small = larger < 0x1p-400;
    double unit = is_large ? 0x1p-600 : is_small ? 0x1p600 : 1.0;
    double back = is_large ? 0x1p600 : is_small ? 0x1p-600 : 1.0;
    larger *= unit;
    smaller *= unit;
    struct pair square = two_product(larger, larger), other = two_product(smaller, smaller);
    struct pair sum = fast_two_sum(square.high, other.high);
    sum.low += square.low + other.low;
    return larger > 0.0 ? pair_square_root(sum).high * back : 0.0;
}

float DEVICE(hypotf)(float x, float y) {
    if (is_infinitef(x) || is_infinitef(y)) return INFINITY_F;
    double wide = x;
    double square = __builtin_fma(wide, wide, (double)y * (double)y);
    return square == 0.0 ? 0.0f : (float)root_of(square).root;
}
