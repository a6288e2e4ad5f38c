/* The complex functions for float: those for double, rounded. Double leaves room for every intermediate result. */

#include "complex.h"

static inline float _Complex rounded(double _Complex z) { return make_complexf((float)__real__ z, (float)__imag__ z); }
static inline double _Complex widened(float _Complex z) { return make_complex(__real__ z, __imag__ z); }

float DEVICE(crealf)(float _Complex z) { return __real__ z; }
float DEVICE(cimagf)(float _Complex z) { return __imag__ z; }
float _Complex DEVICE(conjf)(float _Complex z) { return make_complexf(__real__ z, -__imag__ z); }
float DEVICE(cabsf)(float _Complex z) { return DEVICE(hypotf)(__real__ z, __imag__ z); }
float DEVICE(cargf)(float _Complex z) { return DEVICE(atan2f)(__imag__ z, __real__ z); }

float _Complex DEVICE(cprojf)(float _Complex z) {
    if (is_infinitef(__real__ z) || is_infinitef(__imag__ z)) {
        return make_complexf(INFINITY_F, __builtin_copysignf(0.0f, __imag__ z));
    }
    return z;
}

float _Complex DEVICE(cexpf)(float _Complex z) { return rounded(DEVICE(cexp)(widened(z))); }
float _Complex DEVICE(clogf)(float _Complex z) { return rounded(DEVICE(clog)(widened(z))); }
float _Complex DEVICE(clog10f)(float _Complex z) { return rounded(DEVICE(clog10)(widened(z))); }
float _Complex DEVICE(csqrtf)(float _Complex z) { return rounded(DEVICE(csqrt)(widened(z))); }
float _Complex DEVICE(csinf)(float _Complex z) { return rounded(DEVICE(csin)(widened(z))); }
float _Complex DEVICE(ccosf)(float _Complex z) { return rounded(DEVICE(ccos)(widened(z))); }
float _Complex DEVICE(ctanf)(float _Complex z) { return rounded(DEVICE(ctan)(widened(z))); }
float _Complex DEVICE(csinhf)(float _Complex z) { return rounded(DEVICE(csinh)(widened(z))); }
float _Complex DEVICE(ccoshf)(float _Complex z) { return rounded(DEVICE(ccosh)(widened(z))); }
float _Complex DEVICE(ctanhf)(float _Complex z) { return rounded(DEVICE(ctanh)(widened(z))); }
float _Complex DEVICE(casinf)(float _Complex z) { return rounded(DEVICE(casin)(widened(z))); }
float _Complex DEVICE(cacosf)(float _Complex z) { return rounded(DEVICE(cacos)(widened(z))); }
float _Complex DEVICE(catanf)(float _Complex z) { return rounded(DEVICE(catan)(widened(z))); }
float _Complex DEVICE(casinhf)(float _Complex z) { return rounded(DEVICE(casinh)(widened(z))); }
float _Complex DEVICE(cacoshf)(float _Complex z) { return rounded(DEVICE(cacosh)(widened(z))); }
float _Complex DEVICE(catanhf)(float _Complex z) { return rounded(DEVICE(catanh)(widened(z))); }

float _Complex DEVICE(cpowf)(float _Complex base, float _Complex exponent) {
    return rounded(DEVICE(cpow)(widened(base), widened(exponent)));
}
