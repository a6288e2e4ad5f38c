/* The functions of <complex.h> for double: elementary ones; complex_inverse.c has the inverse circular and hyperbolic
   ones, complex_float.c rounds all of them to float. Special values are those of Annex G. */

#include "complex.h"
#include "cores.h"

double DEVICE(creal)(double _Complex z) { return __real__ z; }
double DEVICE(cimag)(double _Complex z) { return __imag__ z; }
double _Complex DEVICE(conj)(double _Complex z) { return make_complex(__real__ z, -__imag__ z); }
double DEVICE(cabs)(double _Complex z) { return DEVICE(hypot)(__real__ z, __imag__ z); }
double DEVICE(carg)(double _Complex z) { return DEVICE(atan2)(__imag__ z, __real__ z); }

double _Complex DEVICE(cproj)(double _Complex z) {
    if (is_infinite(__real__ z) || is_infinite(__imag__ z)) {
        return make_complex(INFINITY_D, __builtin_copysign(0.0, __imag__ z));
    }
    return z;
}

/* exp(x) * factor where only the product need be in range; finite factor. */
static inline double exp_times(double x, double factor, int halvings) {
    if (factor == 0.0) return factor;
    /* The least factor that is not zero cannot bring exp(2400) back. */
    if (x > 2400.0) x = 2400.0;
    if (x < -2400.0) x = -2400.0;
    struct scaled_pair e = exp_pair(x, 0.0);
    return DEVICE(scalbn)(__builtin_fma(e.low, factor, e.high * factor), e.exponent - halvings);
}

double _Complex DEVICE(cexp)(double _Complex z) {
    double x = __real__ z;
    double y = __imag__ z;
    if (y == 0.0) return make_complex(DEVICE(exp)(x), y);
    if (!is_finite(y)) {
        if (is_infinite(x)) return x > 0.0 ? make_complex(x, NAN_D) : make_complex(0.0, __builtin_copysign(0.0, y));
        return make_complex(NAN_D, NAN_D);
    }
    if (is_nan(x)) return make_complex(x, x);
    double sine, cosine;
    DEVICE(sincos)(y, &sine, &cosine);
    if (is_infinite(x)) {
        double size = x > 0.0 ? x : 0.0;
        return make_complex(__builtin_copysign(size, cosine), __builtin_copysign(size, sine));
    }
    return make_complex(exp_times(x, cosine, 0), exp_times(x, sine, 0));
}

/* log(|z|): where |z| is close to 1, what matters is |z|^2 - 1. */
static double log_of_magnitude(double x, double y) {
    x = __builtin_fabs(x);
    y = __builtin_fabs(y);
    if (is_infinite(x) || is_infinite(y)) return INFINITY_D;
    if (is_nan(x) || is_nan(y)) return x + y;
    double larger = x > y ? x : y;
    double smaller = x > y ? y : x;
    if (larger == 0.0) return -INFINITY_D;
    struct split_d parts = split(larger);
    double a = parts.mantissa;
    /* Below 2^-60 of the larger part, the smaller one matters only beside exactly 1. */
    double b = DEVICE(scalbn)(smaller, -parts.exponent);
    struct pair sum = pair_add(two_product(a, a), two_product(b, b));
    struct split_d total = split(sum.high);
    struct pair f = fast_two_sum(total.mantissa - 1.0, scaled(sum.low, -total.exponent));
    return 0.5 * log_pair(f.high, f.low, total.exponent + 2 * parts.exponent).high;
}

double _Complex DEVICE(clog)(double _Complex z) {
    return make_complex(log_of_magnitude(__real__ z, __imag__ z), DEVICE(carg)(z));
}

double _Complex DEVICE(clog10)(double _Complex z) {
    const double log10_e = 0x1.bcb7b1526e50ep-2;
    return make_complex(log_of_magnitude(__real__ z, __imag__ z) * log10_e, DEVICE(carg)(z) * log10_e);
}

double _Complex DEVICE(cpow)(double _Complex base, double _Complex exponent) {
    double x = __real__ exponent;
    double y = __imag__ exponent;
    if (x == 0.0 && y == 0.0) return make_complex(1.0, 0.0);
    if (__real__ base == 0.0 && __imag__ base == 0.0 && x > 0.0) return make_complex(0.0, 0.0);
    double size = log_of_magnitude(__real__ base, __imag__ base);
    double angle = DEVICE(carg)(base);
    /* With the errors of the products, which the exponential would magnify. */
    double real = __builtin_fma(x, size, -(y * angle));
    double imaginary = __builtin_fma(x, angle, y * size);
    return DEVICE(cexp)(make_complex(real, imaginary));
}

double _Complex DEVICE(csqrt)(double _Complex z) {
    double x = __real__ z;
    double y = __imag__ z;
    if (is_infinite(y)) return make_complex(INFINITY_D, y);
    if (is_infinite(x)) {
        double zero = is_nan(y) ? y : 0.0;
        return x > 0.0 ? make_complex(x, __builtin_copysign(zero, y)) : make_complex(zero, __builtin_copysign(x, y));
    }
    if (is_nan(x) || is_nan(y)) return make_complex(NAN_D, NAN_D);
    if (x == 0.0 && y == 0.0) return make_complex(0.0, y);
    /* Into the middle of the range, by a factor whose root is a power of two. */
    double unit = 1.0;
    double largest = __builtin_fmax(__builtin_fabs(x), __builtin_fabs(y));
    if (largest > 0x1p1000) {
        x *= 0x1p-200;
        y *= 0x1p-200;
        unit = 0x1p100;
    } else if (largest < 0x1p-800) {
        x *= 0x1p200;
        y *= 0x1p200;
        unit = 0x1p-100;
    }
    double root = __builtin_sqrt(0.5 * (__builtin_fabs(x) + DEVICE(hypot)(x, y)));
    double other = y / (2.0 * root);
    if (x >= 0.0) return make_complex(root * unit, other * unit);
    return make_complex(__builtin_fabs(other) * unit, __builtin_copysign(root * unit, y));
}

double _Complex DEVICE(csinh)(double _Complex z) {
    double x = __real__ z;
    double y = __imag__ z;
    if (y == 0.0) return make_complex(DEVICE(sinh)(x), y);
    if (!is_finite(y)) return make_complex(x == 0.0 || is_infinite(x) ? x : NAN_D, NAN_D);
    double sine, cosine;
    DEVICE(sincos)(y, &sine, &cosine);
    if (__builtin_fabs(x) > 700.0 && is_finite(x)) {
        double real = exp_times(__builtin_fabs(x), cosine, 1);
        return make_complex(x < 0.0 ? -real : real, exp_times(__builtin_fabs(x), sine, 1));
    }
    return make_complex(DEVICE(sinh)(x) * cosine, DEVICE(cosh)(x) * sine);
}

double _Complex DEVICE(ccosh)(double _Complex z) {
    double x = __real__ z;
    double y = __imag__ z;
    if (y == 0.0) return make_complex(DEVICE(cosh)(x), y * __builtin_copysign(1.0, x));
    if (!is_finite(y)) {
        if (x == 0.0) return make_complex(NAN_D, 0.0);
        return make_complex(is_infinite(x) ? INFINITY_D : NAN_D, NAN_D);
    }
    double sine, cosine;
    DEVICE(sincos)(y, &sine, &cosine);
    if (__builtin_fabs(x) > 700.0 && is_finite(x)) {
        double imaginary = exp_times(__builtin_fabs(x), sine, 1);
        return make_complex(exp_times(__builtin_fabs(x), cosine, 1), x < 0.0 ? -imaginary : imaginary);
    }
    return make_complex(DEVICE(cosh)(x) * cosine, DEVICE(sinh)(x) * sine);
}

double _Complex DEVICE(ctanh)(double _Complex z) {
    double x = __real__ z;
    double y = __imag__ z;
    if (is_nan(x)) return make_complex(x, y == 0.0 ? y : x);
    if (__builtin_fabs(x) > 22.0) {
        double unit = __builtin_copysign(1.0, x);
        if (!is_finite(y)) return is_infinite(x) ? make_complex(unit, __builtin_copysign(0.0, y)) : make_complex(NAN_D, NAN_D);
        double sine, cosine;
        DEVICE(sincos)(y, &sine, &cosine);
        return make_complex(unit, exp_times(-2.0 * __builtin_fabs(x), 4.0 * sine * cosine, 0));
    }
    if (!is_finite(y)) return make_complex(x == 0.0 ? x : NAN_D, NAN_D);
    double sine, cosine;
    DEVICE(sincos)(y, &sine, &cosine);
    double s = DEVICE(sinh)(x);
    double denominator = __builtin_fma(s, s, cosine * cosine);
    return make_complex(s * DEVICE(cosh)(x) / denominator, sine * cosine / denominator);
}

/* Circular functions are hyperbolic ones of i z. */

double _Complex DEVICE(csin)(double _Complex z) {
    double _Complex w = DEVICE(csinh)(make_complex(-__imag__ z, __real__ z));
    return make_complex(__imag__ w, -__real__ w);
}

double _Complex DEVICE(ccos)(double _Complex z) { return DEVICE(ccosh)(make_complex(-__imag__ z, __real__ z)); }

double _Complex DEVICE(ctan)(double _Complex z) {
    double _Complex w = DEVICE(ctanh)(make_complex(-__imag__ z, __real__ z));
    return make_complex(__imag__ w, -__real__ w);
}
