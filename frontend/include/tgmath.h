/* <tgmath.h> (C11 7.25), by _Generic. Integers select the functions of double. Of two arguments, the sum has the type
   that selects. */
#ifndef __ACCRUE_TGMATH_H
#define __ACCRUE_TGMATH_H

#include <complex.h>
#include <math.h>

#define __ACCRUE_TG_REAL(type, name) \
    _Generic((type), float: name##f, long double: name##l, default: name)
#define __ACCRUE_TG_BOTH(type, name, cname) \
    _Generic((type), \
        float: name##f, \
        long double: name##l, \
        float _Complex: cname##f, \
        double _Complex: cname, \
        long double _Complex: cname##l, \
        default: name)
#define __ACCRUE_TG_COMPLEX(type, name) \
    _Generic((type), \
        float: name##f, \
        float _Complex: name##f, \
        long double: name##l, \
        long double _Complex: name##l, \
        default: name)

#define acos(x) __ACCRUE_TG_BOTH((x), acos, cacos)(x)
#define asin(x) __ACCRUE_TG_BOTH((x), asin, casin)(x)
#define atan(x) __ACCRUE_TG_BOTH((x), atan, catan)(x)
#define acosh(x) __ACCRUE_TG_BOTH((x), acosh, cacosh)(x)
#define asinh(x) __ACCRUE_TG_BOTH((x), asinh, casinh)(x)
#define atanh(x) __ACCRUE_TG_BOTH((x), atanh, catanh)(x)
#define cos(x) __ACCRUE_TG_BOTH((x), cos, ccos)(x)
#define sin(x) __ACCRUE_TG_BOTH((x), sin, csin)(x)
#define tan(x) __ACCRUE_TG_BOTH((x), tan, ctan)(x)
#define cosh(x) __ACCRUE_TG_BOTH((x), cosh, ccosh)(x)
#define sinh(x) __ACCRUE_TG_BOTH((x), sinh, csinh)(x)
#define tanh(x) __ACCRUE_TG_BOTH((x), tanh, ctanh)(x)
#define exp(x) __ACCRUE_TG_BOTH((x), exp, cexp)(x)
#define log(x) __ACCRUE_TG_BOTH((x), log, clog)(x)
#define sqrt(x) __ACCRUE_TG_BOTH((x), sqrt, csqrt)(x)
#define pow(x, y) __ACCRUE_TG_BOTH((x) + (y), pow, cpow)(x, y)
#define fabs(x) __ACCRUE_TG_BOTH((x), fabs, cabs)(x)
#define cbrt(x) __ACCRUE_TG_REAL((x), cbrt)(x)
#define ceil(x) __ACCRUE_TG_REAL((x), ceil)(x)
#define erf(x) __ACCRUE_TG_REAL((x), erf)(x)
#define erfc(x) __ACCRUE_TG_REAL((x), erfc)(x)
#define exp2(x) __ACCRUE_TG_REAL((x), exp2)(x)
#define expm1(x) __ACCRUE_TG_REAL((x), expm1)(x)
#define floor(x) __ACCRUE_TG_REAL((x), floor)(x)
#define ilogb(x) __ACCRUE_TG_REAL((x), ilogb)(x)
#define lgamma(x) __ACCRUE_TG_REAL((x), lgamma)(x)
#define llrint(x) __ACCRUE_TG_REAL((x), llrint)(x)
#define llround(x) __ACCRUE_TG_REAL((x), llround)(x)
#define log10(x) __ACCRUE_TG_REAL((x), log10)(x)
#define log1p(x) __ACCRUE_TG_REAL((x), log1p)(x)
#define log2(x) __ACCRUE_TG_REAL((x), log2)(x)
#define logb(x) __ACCRUE_TG_REAL((x), logb)(x)
#define lrint(x) __ACCRUE_TG_REAL((x), lrint)(x)
#define lround(x) __ACCRUE_TG_REAL((x), lround)(x)
#define nearbyint(x) __ACCRUE_TG_REAL((x), nearbyint)(x)
#define rint(x) __ACCRUE_TG_REAL((x), rint)(x)
#define round(x) __ACCRUE_TG_REAL((x), round)(x)
#define tgamma(x) __ACCRUE_TG_REAL((x), tgamma)(x)
#define trunc(x) __ACCRUE_TG_REAL((x), trunc)(x)
#define atan2(x, y) __ACCRUE_TG_REAL((x) + (y), atan2)(x, y)
#define copysign(x, y) __ACCRUE_TG_REAL((x) + (y), copysign)(x, y)
#define fdim(x, y) __ACCRUE_TG_REAL((x) + (y), fdim)(x, y)
#define fmax(x, y) __ACCRUE_TG_REAL((x) + (y), fmax)(x, y)
#define fmin(x, y) __ACCRUE_TG_REAL((x) + (y), fmin)(x, y)
#define fmod(x, y) __ACCRUE_TG_REAL((x) + (y), fmod)(x, y)
#define hypot(x, y) __ACCRUE_TG_REAL((x) + (y), hypot)(x, y)
#define nextafter(x, y) __ACCRUE_TG_REAL((x) + (y), nextafter)(x, y)
#define remainder(x, y) __ACCRUE_TG_REAL((x) + (y), remainder)(x, y)
#define fma(x, y, z) __ACCRUE_TG_REAL((x) + (y) + (z), fma)(x, y, z)
#define remquo(x, y, quotient) __ACCRUE_TG_REAL((x) + (y), remquo)(x, y, quotient)
#define frexp(x, exponent) __ACCRUE_TG_REAL((x), frexp)(x, exponent)
#define ldexp(x, exponent) __ACCRUE_TG_REAL((x), ldexp)(x, exponent)
#define scalbln(x, exponent) __ACCRUE_TG_REAL((x), scalbln)(x, exponent)
#define scalbn(x, exponent) __ACCRUE_TG_REAL((x), scalbn)(x, exponent)
#define nexttoward(x, y) __ACCRUE_TG_REAL((x), nexttoward)(x, y)
#define carg(x) __ACCRUE_TG_COMPLEX((x), carg)(x)
#define cimag(x) __ACCRUE_TG_COMPLEX((x), cimag)(x)
#define conj(x) __ACCRUE_TG_COMPLEX((x), conj)(x)
#define cproj(x) __ACCRUE_TG_COMPLEX((x), cproj)(x)
#define creal(x) __ACCRUE_TG_COMPLEX((x), creal)(x)

#endif
