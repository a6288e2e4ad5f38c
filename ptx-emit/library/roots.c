/* sqrt, cbrt, hypot. */

#include "cores.h"

double DEVICE(sqrt)(double x) { return __builtin_sqrt(x); }
float DEVICE(sqrtf)(float x) { return __builtin_sqrtf(x); }

/* The cube root of a normal number by its bits, to 15 bits: a third of the exponent and fraction, and Halley's step, which
   makes three times as many. */
static inline float cube_root_startf(uint32 bits) {
    float x = number_off(bits);
    float root = number_off(bits / 3 + 0x2a5137a0u);
    float other = x * __builtin_accrue_reciprocalf(root * root);
    return root * __builtin_fmaf(2.0f, other, root) * __builtin_accrue_reciprocalf(__builtin_fmaf(2.0f, root, other));
}

double DEVICE(cbrt)(double x) {
    uint64 bits = magnitude_bits(x);
    if (UNLIKELY(bits == 0 || bits >= INFINITE_D)) return x;
    int is_small = bits < 0x0010000000000000u;
    bits = is_small ? magnitude_bits(x * 0x1p54) : bits;
    int exponent = (int)(bits >> 52) - 1022;
    /* x = m * 2^(3 third) with 1/2 <= m < 4. */
    int third = (exponent + 3 * 400) / 3 - 400;
    uint64 of_m = bits - ((uint64)(3 * third) << 52);
    double m = number_of(of_m);
    float start = cube_root_startf((uint32)(of_m >> 29) - (896u << 23));
    /* A step of Newton's for 24 bits, whose square is exact; Halley's with the exact residue rounds the rest. */
    float square = start * start;
    start = __builtin_fmaf(number_off((uint32)(of_m >> 29) - (896u << 23)) - square * start,
                           __builtin_accrue_reciprocalf(3.0f * square), start);
    double root = number_of(((uint64)bits_off(start) << 29) + (896ull << 52));
    double of_root = root * root;
    double residue = __builtin_fma(-of_root, root, m);
    root = __builtin_fma(root * residue, inverse(__builtin_fma(3.0 * of_root, root, residue)), root);
    return __builtin_copysign(moved(root, is_small ? third - 18 : third), x);
}

float DEVICE(cbrtf)(float x) {
    uint32 bits = magnitude_bitsf(x);
    if (UNLIKELY(bits == 0 || bits >= INFINITE_F)) return x;
    /* Residues of small numbers have no normal form. */
    int is_small = bits < 0x20000000u;
    float magnitude = __builtin_fabsf(x) * (is_small ? 0x1p72f : 1.0f);
    float root = cube_root_startf(bits_off(magnitude));
    /* Newton's step with an exact residue rounds it. */
    float square = root * root;
    float low = __builtin_fmaf(root, root, -square);
    float residue = __builtin_fmaf(square, root, -magnitude) + low * root;
    root = __builtin_fmaf(-residue, __builtin_accrue_reciprocalf(3.0f * square), root);
    return __builtin_copysignf(root * (is_small ? 0x1p-24f : 1.0f), x);
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
