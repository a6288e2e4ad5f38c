/* asin, acos, atan, atan2. */

#include "cores.h"

/* asin(x) - x for |x| <= 1/2. */
static inline double asin_rest(double x, double square) { return x * square * asin_tail(square); }

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

/* atan(t) for 0 <= t <= 1. */
static inline double atan_reduced(double t) {
    double square = t * t;
    return __builtin_fma(t * square, atan_tail(square), t);
}

static inline float atan_reducedf(float t) {
    float square = t * t;
    return __builtin_fmaf(t * square, atan_tailf(square), t);
}

double DEVICE(atan)(double x) {
    double magnitude = __builtin_fabs(x);
    int is_steep = magnitude > 1.0;
    double near = __builtin_fmin(magnitude, 0x1p60);
    double t = is_steep ? quotient(1.0, near) : magnitude;
    double angle = atan_reduced(t);
    return __builtin_copysign(is_steep ? PI_2_HIGH - angle + PI_2_LOW : angle, x);
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
    double larger = __builtin_fmax(height, width);
    double smaller = __builtin_fmin(height, width);
    if (UNLIKELY(!(smaller > 0.0 && height < INFINITY_D && width < INFINITY_D))) return atan2_limit(y, x);
    /* To where numbers have inverses. */
    double unit = larger > 0x1p900 ? 0x1p-100 : larger < 0x1p-900 ? 0x1p200 : 1.0;
    double angle = atan_reduced(quotient(smaller * unit, larger * unit));
    /* The angle is a multiple of pi/2 plus or minus that. */
    int is_steep = height > width, is_left = x < 0.0;
    double multiple = is_steep ? 1.0 : is_left ? 2.0 : 0.0;
    double part = is_steep != is_left ? -angle : angle;
    return __builtin_copysign(__builtin_fma(multiple, PI_2_HIGH, __builtin_fma(multiple, PI_2_LOW, part)), y);
}

/* What asin and acos of float make of |x|: the sine of half the angle beyond 1/2, and what its arc is longer. */
struct half_arc {
    float sine;
    float rest;
};

static inline struct half_arc half_arc_of(float magnitude) {
    int is_long = magnitude > 0.5f;
    float square = is_long ? __builtin_fmaf(-0.5f, magnitude, 0.5f) : magnitude * magnitude;
    float first = __builtin_accrue_rsqrtf(__builtin_fmaxf(square, 0x1p-100f));
    float root = square * first;
    float lost = __builtin_fmaf(-root, root, square) * (0.5f * first);
    struct half_arc result;
    result.sine = is_long ? root : magnitude;
    result.rest = __builtin_fmaf(result.sine * square, asin_tailf(square), is_long ? lost : 0.0f);
    return result;
}

float DEVICE(asinf)(float x) {
    float magnitude = __builtin_fabsf(x);
    struct half_arc half = half_arc_of(magnitude);
    float high = __builtin_fmaf(-2.0f, half.sine, PI_2_HIGH_F);
    float large = high - __builtin_fmaf(2.0f, half.rest, -PI_2_LOW_F);
    float value = magnitude > 0.5f ? large : half.sine + half.rest;
    return __builtin_copysignf(magnitude <= 1.0f ? value : NAN_F, x);
}

float DEVICE(acosf)(float x) {
    float magnitude = __builtin_fabsf(x);
    struct half_arc half = half_arc_of(magnitude);
    int is_long = magnitude > 0.5f, is_left = x < 0.0f;
    /* A multiple of pi/2 plus or minus once or twice the arc. */
    float multiple = !is_long ? 1.0f : is_left ? 2.0f : 0.0f;
    float factor = is_long ? 2.0f : 1.0f;
    factor = is_long != is_left ? factor : -factor;
    float high = multiple * PI_2_HIGH_F;
    float sum = __builtin_fmaf(factor, half.sine, high);
    float lost = __builtin_fmaf(factor, half.sine, high - sum);
    float value = sum + __builtin_fmaf(factor, half.rest, __builtin_fmaf(multiple, PI_2_LOW_F, lost));
    return magnitude <= 1.0f ? value : NAN_F;
}

float DEVICE(atanf)(float x) {
    float magnitude = __builtin_fabsf(x);
    int is_steep = magnitude > 1.0f;
    float near = __builtin_fminf(magnitude, 0x1p40f);
    float t = is_steep ? quotientf(1.0f, near) : magnitude;
    float angle = atan_reducedf(t);
    return __builtin_copysignf(is_steep ? PI_2_HIGH_F - angle + PI_2_LOW_F : angle, x);
}

float DEVICE(atan2f)(float y, float x) {
    float height = __builtin_fabsf(y);
    float width = __builtin_fabsf(x);
    float larger = __builtin_fmaxf(height, width);
    float smaller = __builtin_fminf(height, width);
    if (UNLIKELY(!(smaller > 0.0f && height < INFINITY_F && width < INFINITY_F))) return (float)atan2_limit(y, x);
    float unit = larger > 0x1p100f ? 0x1p-10f : larger < 0x1p-100f ? 0x1p40f : 1.0f;
    float angle = atan_reducedf(quotientf(smaller * unit, larger * unit));
    int is_steep = height > width, is_left = x < 0.0f;
    float multiple = is_steep ? 1.0f : is_left ? 2.0f : 0.0f;
    float part = is_steep != is_left ? -angle : angle;
    return __builtin_copysignf(__builtin_fmaf(multiple, PI_2_HIGH_F, __builtin_fmaf(multiple, PI_2_LOW_F, part)), y);
}
