/* asin, acos, atan, atan2. */

#include "cores.h"

#define TAN_PI_8 0x1.a827999fcef32p-2

/* asin(x) - x for |x| <= 1/2. */
static inline double asin_rest(double x, double square) { return x * square * asin_tail(square); }
static inline float asin_restf(float x, float square) { return x * square * asin_tailf(square); }

/* acos(x)/2 = asin(sqrt((1 - x)/2)) for 1/2 < x <= 1. */
static inline struct pair half_acos(double x) {
    double square = 0.5 * (1.0 - x);
    if (square == 0.0) return make_pair(0.0, 0.0);
    struct pair root = pair_square_root(make_pair(square, 0.0));
    return fast_two_sum(root.high, root.low + asin_rest(root.high, square));
}

double DEVICE(asin)(double x) {
    double magnitude = __builtin_fabs(x);
    if (UNLIKELY(!(magnitude <= 1.0))) return is_nan(x) ? x : NAN_D;
    if (magnitude <= 0.5) {
        if (magnitude < 0x1p-27) return x;
        return x + asin_rest(x, x * x);
    }
    struct pair half = half_acos(magnitude);
    struct pair sum = fast_two_sum(PI_2_HIGH, -2.0 * half.high);
    return __builtin_copysign(sum.high + (sum.low + (PI_2_LOW - 2.0 * half.low)), x);
}

double DEVICE(acos)(double x) {
    double magnitude = __builtin_fabs(x);
    if (UNLIKELY(!(magnitude <= 1.0))) return is_nan(x) ? x : NAN_D;
    if (magnitude <= 0.5) {
        struct pair sum = fast_two_sum(PI_2_HIGH, -x);
        return sum.high + (sum.low + (PI_2_LOW - asin_rest(x, x * x)));
    }
    struct pair half = half_acos(magnitude);
    if (x > 0.0) return 2.0 * half.high;
    struct pair sum = fast_two_sum(2.0 * PI_2_HIGH, -2.0 * half.high);
    return sum.high + (sum.low + (2.0 * PI_2_LOW - 2.0 * half.low));
}

/* atan(numerator / denominator), both positive, the quotient at most 1 and neither close to the ends of the range. */
static inline struct pair atan_of_quotient(struct pair numerator, struct pair denominator) {
    struct pair offset = make_pair(0.0, 0.0);
    if (numerator.high > TAN_PI_8 * denominator.high) {
        /* atan(q) = pi/4 + atan((q - 1) / (q + 1)). */
        struct pair difference = pair_add(numerator, pair_negate(denominator));
        denominator = pair_add(numerator, denominator);
        numerator = difference;
        offset = make_pair(0.5 * PI_2_HIGH, 0.5 * PI_2_LOW);
    }
    struct pair t = pair_divide(numerator, denominator);
    double square = t.high * t.high;
    double rest = __builtin_fma(t.high * square, atan_tail(square), t.low);
    struct pair sum = fast_two_sum(offset.high, t.high);
    return fast_two_sum(sum.high, sum.low + (rest + offset.low));
}

double DEVICE(atan)(double x) {
    double magnitude = __builtin_fabs(x);
    if (!(magnitude > 0x1p-27)) return x;
    if (magnitude <= TAN_PI_8) {
        double square = x * x;
        return __builtin_fma(x * square, atan_tail(square), x);
    }
    if (magnitude > 0x1p60) return __builtin_copysign(PI_2_HIGH, x);
    struct pair one = make_pair(1.0, 0.0);
    struct pair number = make_pair(magnitude, 0.0);
    struct pair result;
    if (magnitude <= 1.0) {
        result = atan_of_quotient(number, one);
    } else {
        struct pair rest = atan_of_quotient(one, number);
        struct pair sum = fast_two_sum(PI_2_HIGH, -rest.high);
        result.high = sum.high + (sum.low + (PI_2_LOW - rest.low));
    }
    return __builtin_copysign(result.high, x);
}

/* atan2 where an argument is zero, infinite or no number. */
static double atan2_limit(double y, double x) {
    if (is_nan(x) || is_nan(y)) return x + y;
    double angle;
    if (is_infinite(x) && is_infinite(y)) {
        angle = sign_of(x) ? 1.5 * PI_2_HIGH : 0.5 * PI_2_HIGH;
    } else if (y == 0.0 || is_infinite(x)) {
        angle = sign_of(x) ? 2.0 * PI_2_HIGH : 0.0;
    } else {
        angle = PI_2_HIGH;
    }
    return __builtin_copysign(angle, y);
}

double DEVICE(atan2)(double y, double x) {
    double height = __builtin_fabs(y);
    double width = __builtin_fabs(x);
    if (UNLIKELY(!(height > 0.0 && width > 0.0 && height < INFINITY_D && width < INFINITY_D))) return atan2_limit(y, x);
    double larger = height > width ? height : width;
    double smaller = height > width ? width : height;
    /* To the middle of the range, where neither products nor their errors leave it. */
    int exponent = (int)(bits_of(larger) >> 52) - 1023;
    int distance = exponent - ((int)(bits_of(smaller) >> 52) - 1023);
    struct pair angle;
    if (distance > 64) {
        /* The angle itself is smaller / larger; beside pi/2 or pi it does not matter. */
        angle = make_pair(height < width ? height / width : 0.0, 0.0);
    } else {
        if (exponent > 900) {
            larger *= 0x1p-200;
            smaller *= 0x1p-200;
        } else if (exponent < -800) {
            larger *= 0x1p300;
            smaller *= 0x1p300;
        }
        angle = atan_of_quotient(make_pair(smaller, 0.0), make_pair(larger, 0.0));
    }
    if (height > width) {
        struct pair sum = fast_two_sum(PI_2_HIGH, x < 0.0 ? angle.high : -angle.high);
        sum.low += PI_2_LOW + (x < 0.0 ? angle.low : -angle.low);
        return __builtin_copysign(sum.high + sum.low, y);
    }
    if (x < 0.0) {
        struct pair sum = fast_two_sum(2.0 * PI_2_HIGH, -angle.high);
        return __builtin_copysign(sum.high + (sum.low + (2.0 * PI_2_LOW - angle.low)), y);
    }
    return __builtin_copysign(angle.high, y);
}

float DEVICE(asinf)(float x) {
    float magnitude = __builtin_fabsf(x);
    if (UNLIKELY(!(magnitude <= 1.0f))) return is_nanf(x) ? x : NAN_F;
    if (magnitude <= 0.5f) {
        if (magnitude < 0x1p-12f) return x;
        return x + asin_restf(x, x * x);
    }
    float square = 0.5f * (1.0f - magnitude);
    float root = __builtin_sqrtf(square);
    float high = __builtin_fmaf(-2.0f, root, PI_2_HIGH_F);
    /* What the root lacks, halved: its square's distance from the square, over twice the root. */
    float lost = square > 0.0f ? __builtin_fmaf(-root, root, square) / root : 0.0f;
    return __builtin_copysignf(high - (2.0f * asin_restf(root, square) + lost - PI_2_LOW_F), x);
}

float DEVICE(acosf)(float x) {
    float magnitude = __builtin_fabsf(x);
    if (UNLIKELY(!(magnitude <= 1.0f))) return is_nanf(x) ? x : NAN_F;
    if (magnitude <= 0.5f) {
        float high = PI_2_HIGH_F - x;
        float low = (PI_2_HIGH_F - high) - x;
        return high + (low + (PI_2_LOW_F - asin_restf(x, x * x)));
    }
    float square = 0.5f * (1.0f - magnitude);
    float root = __builtin_sqrtf(square);
    float rest = 2.0f * asin_restf(root, square);
    if (square > 0.0f) rest += __builtin_fmaf(-root, root, square) / root;
    if (x > 0.0f) return __builtin_fmaf(2.0f, root, rest);
    float high = __builtin_fmaf(-2.0f, root, 2.0f * PI_2_HIGH_F);
    return high + (2.0f * PI_2_LOW_F - rest);
}

/* In double, as everything that divides by more than one number. */
static inline double atan_of_quotientf(double numerator, double denominator) {
    double offset = 0.0;
    if (numerator > TAN_PI_8 * denominator) {
        double difference = numerator - denominator;
        denominator = numerator + denominator;
        numerator = difference;
        offset = 0.5 * PI_2_HIGH;
    }
    float t = (float)(numerator / denominator);
    float square = t * t;
    return offset + (numerator / denominator + (double)(t * square * atan_tailf(square)));
}

float DEVICE(atanf)(float x) {
    float magnitude = __builtin_fabsf(x);
    if (!(magnitude > 0x1p-12f)) return x;
    if (magnitude <= 0x1.a8279ap-2f) {
        float square = x * x;
        return __builtin_fmaf(x * square, atan_tailf(square), x);
    }
    double angle = magnitude <= 1.0f ? atan_of_quotientf(magnitude, 1.0) : PI_2_HIGH - atan_of_quotientf(1.0, magnitude);
    return __builtin_copysignf((float)angle, x);
}

float DEVICE(atan2f)(float y, float x) {
    double height = __builtin_fabsf(y);
    double width = __builtin_fabsf(x);
    if (UNLIKELY(!(height > 0.0 && width > 0.0 && height < INFINITY_D && width < INFINITY_D))) {
        return (float)atan2_limit(y, x);
    }
    double angle = height > width ? PI_2_HIGH - atan_of_quotientf(width, height) : atan_of_quotientf(height, width);
    if (x < 0.0f) angle = 2.0 * PI_2_HIGH - angle;
    return __builtin_copysignf((float)angle, y);
}
