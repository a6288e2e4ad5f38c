/* The inverse circular and hyperbolic functions of complex numbers. asin and acos follow Hull, Fairgrieve and Tang:
   with the distances of z from 1 and -1, nothing cancels. */

#include "complex.h"
#include "cores.h"

double DEVICE(asin)(double);
double DEVICE(acos)(double);
double DEVICE(atan)(double);
double DEVICE(acosh)(double);

/* Beyond it, 1 is nothing beside |z|^2. */
#define LARGE 0x1p60

/* Real and imaginary parts of asin, and the real part of acos, in the first quadrant. */
struct arcs {
    double sine;
    double cosine;
    double imaginary;
};

/* For an imaginary part whose square vanishes beside everything. */
static struct arcs arcs_near_axis(double x, double y) {
    struct arcs result;
    if (x < 1.0) {
        result.sine = DEVICE(asin)(x);
        result.cosine = DEVICE(acos)(x);
        result.imaginary = y / __builtin_sqrt((1.0 - x) * (1.0 + x));
    } else if (x > 1.0) {
        double root = __builtin_sqrt((x - 1.0) * (x + 1.0));
        result.sine = PI_2_HIGH;
        result.cosine = y / root;
        result.imaginary = DEVICE(acosh)(x);
    } else {
        result.imaginary = __builtin_sqrt(y);
        result.sine = PI_2_HIGH - result.imaginary;
        result.cosine = result.imaginary;
    }
    return result;
}

static struct arcs arcs(double x, double y) {
    struct arcs result;
    if (x > LARGE || y > LARGE) {
        result.sine = DEVICE(atan2)(x, y);
        result.cosine = DEVICE(atan2)(y, x);
        /* log(2 |z|). */
        result.imaginary = __real__ DEVICE(clog)(make_complex(0.5 * x, 0.5 * y)) + 2.0 * 0x1.62e42fefa39efp-1;
        return result;
    }
    if (y < 0x1p-200) return arcs_near_axis(x, y);
    double far = DEVICE(hypot)(x + 1.0, y);
    double near = DEVICE(hypot)(x - 1.0, y);
    /* z lies on the ellipse with foci -1 and 1 and this half axis. */
    double axis = 0.5 * (far + near);
    /* far - (x + 1) and near - |x - 1| without cancellation. */
    double far_excess = y * (y / (far + (x + 1.0)));
    double near_excess = y * (y / (near + __builtin_fabs(x - 1.0)));
    double ratio = x / axis;
    if (ratio <= 0.625) {
        result.sine = DEVICE(asin)(ratio);
        result.cosine = DEVICE(acos)(ratio);
    } else {
        /* sqrt(axis^2 - x^2), from 2 (axis - x) = (far - (x + 1)) + (near - (x - 1)). */
        double other = x <= 1.0 ? far_excess + (near + (1.0 - x)) : far_excess + near_excess;
        double height = __builtin_sqrt(0.5 * (axis + x) * other);
        result.sine = DEVICE(atan2)(x, height);
        result.cosine = DEVICE(atan2)(height, x);
    }
    if (axis <= 1.5) {
        double above_one = 0.5 * (far_excess + (x < 1.0 ? near_excess : near + (x - 1.0)));
        result.imaginary = DEVICE(log1p)(above_one + __builtin_sqrt(above_one * (axis + 1.0)));
    } else {
        result.imaginary = DEVICE(log)(axis + __builtin_sqrt(__builtin_fma(axis, axis, -1.0)));
    }
    return result;
}

double _Complex DEVICE(casinh)(double _Complex z) {
    double x = __real__ z;
    double y = __imag__ z;
    if (is_nan(x) || is_nan(y)) {
        if (is_infinite(x)) return make_complex(x, y);
        if (is_infinite(y)) return make_complex(INFINITY_D, NAN_D);
        return make_complex(NAN_D, y == 0.0 ? y : NAN_D);
    }
    if (is_infinite(x) || is_infinite(y)) {
        double angle = !is_infinite(y) ? 0.0 : is_infinite(x) ? 0.5 * PI_2_HIGH : PI_2_HIGH;
        return make_complex(__builtin_copysign(INFINITY_D, x), __builtin_copysign(angle, y));
    }
    /* asinh(z) = -i asin(i z), mirrored into the first quadrant. */
    struct arcs result = arcs(__builtin_fabs(y), __builtin_fabs(x));
    return make_complex(__builtin_copysign(result.imaginary, x), __builtin_copysign(result.sine, y));
}

double _Complex DEVICE(casin)(double _Complex z) {
    double _Complex w = DEVICE(casinh)(make_complex(-__imag__ z, __real__ z));
    return make_complex(__imag__ w, -__real__ w);
}

double _Complex DEVICE(cacos)(double _Complex z) {
    double x = __real__ z;
    double y = __imag__ z;
    if (is_nan(x) || is_nan(y)) {
        if (is_infinite(x)) return make_complex(NAN_D, __builtin_copysign(INFINITY_D, -y));
        if (is_infinite(y)) return make_complex(NAN_D, -y);
        return make_complex(x == 0.0 ? PI_2_HIGH : NAN_D, NAN_D);
    }
    if (is_infinite(x) || is_infinite(y)) {
        double angle = !is_infinite(y) ? 0.0 : is_infinite(x) ? 0.5 * PI_2_HIGH : PI_2_HIGH;
        if (x < 0.0 && is_infinite(x)) angle = 2.0 * PI_2_HIGH - angle;
        return make_complex(angle, __builtin_copysign(INFINITY_D, -y));
    }
    struct arcs result = arcs(__builtin_fabs(x), __builtin_fabs(y));
    double angle = sign_of(x) ? PI_2_HIGH + result.sine : result.cosine;
    return make_complex(angle, __builtin_copysign(result.imaginary, -y));
}

double _Complex DEVICE(cacosh)(double _Complex z) {
    double _Complex w = DEVICE(cacos)(z);
    double real = __builtin_fabs(__imag__ w);
    double angle = __real__ w;
    if (is_nan(angle) || is_nan(real)) return make_complex(real, angle);
    return make_complex(real, __builtin_copysign(angle, __imag__ z));
}

double _Complex DEVICE(catanh)(double _Complex z) {
    double x = __real__ z;
    double y = __imag__ z;
    if (is_nan(x)) return is_infinite(y) ? make_complex(0.0, __builtin_copysign(PI_2_HIGH, y)) : make_complex(x, x);
    if (is_nan(y)) return make_complex(x == 0.0 || is_infinite(x) ? __builtin_copysign(0.0, x) : y, y);
    double width = __builtin_fabs(x);
    double height = __builtin_fabs(y);
    if (width > LARGE || height > LARGE) {
        double real = 0.0;
        if (is_finite(x) && is_finite(y)) {
            double size = width > height ? width : height;
            double small = (width > height ? height : width) / size;
            real = width / size / __builtin_fma(small, small, 1.0) / size;
        }
        return make_complex(__builtin_copysign(real, x), __builtin_copysign(PI_2_HIGH, y));
    }
    if (width == 1.0 && y == 0.0) return make_complex(__builtin_copysign(INFINITY_D, x), y);
    /* 1 - |z|^2 may be all that cancellation leaves. */
    struct pair rest = pair_add_number(pair_negate(two_product(x, x)), 1.0);
    rest = pair_add(rest, pair_negate(two_product(y, y)));
    double angle = 0.5 * DEVICE(atan2)(2.0 * y, rest.high);
    double gap = 1.0 - width;
    double real;
    if (width == 1.0 && height < 0x1p-100) {
        real = 0.5 * (0x1.62e42fefa39efp-1 - DEVICE(log)(height));
    } else {
        real = 0.25 * DEVICE(log1p)(4.0 * width / __builtin_fma(y, y, gap * gap));
    }
    return make_complex(__builtin_copysign(real, x), angle);
}

double _Complex DEVICE(catan)(double _Complex z) {
    double _Complex w = DEVICE(catanh)(make_complex(-__imag__ z, __real__ z));
    return make_complex(__imag__ w, -__real__ w);
}
