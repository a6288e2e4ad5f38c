/* Rounding to integers, and what one instruction does. */

#include "device.h"

double DEVICE(fabs)(double x) { return __builtin_fabs(x); }
float DEVICE(fabsf)(float x) { return __builtin_fabsf(x); }
double DEVICE(copysign)(double x, double y) { return __builtin_copysign(x, y); }
float DEVICE(copysignf)(float x, float y) { return __builtin_copysignf(x, y); }
double DEVICE(fma)(double x, double y, double z) { return __builtin_fma(x, y, z); }
float DEVICE(fmaf)(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
double DEVICE(fmin)(double x, double y) { return __builtin_fmin(x, y); }
float DEVICE(fminf)(float x, float y) { return __builtin_fminf(x, y); }
double DEVICE(fmax)(double x, double y) { return __builtin_fmax(x, y); }
float DEVICE(fmaxf)(float x, float y) { return __builtin_fmaxf(x, y); }
double DEVICE(floor)(double x) { return __builtin_floor(x); }
float DEVICE(floorf)(float x) { return __builtin_floorf(x); }
double DEVICE(ceil)(double x) { return __builtin_ceil(x); }
float DEVICE(ceilf)(float x) { return __builtin_ceilf(x); }
double DEVICE(trunc)(double x) { return __builtin_trunc(x); }
float DEVICE(truncf)(float x) { return __builtin_truncf(x); }
double DEVICE(rint)(double x) { return __builtin_rint(x); }
float DEVICE(rintf)(float x) { return __builtin_rintf(x); }
double DEVICE(nearbyint)(double x) { return __builtin_rint(x); }
float DEVICE(nearbyintf)(float x) { return __builtin_rintf(x); }

/* Halves away from zero. The largest number below 1/2, added to a number, cannot carry past the next integer. */
double DEVICE(round)(double x) {
    double result = __builtin_trunc(x + __builtin_copysign(0x1.fffffffffffffp-2, x));
    return __builtin_copysign(__builtin_fabs(x) < 0x1p52 ? result : x, x);
}

float DEVICE(roundf)(float x) {
    float result = __builtin_truncf(x + __builtin_copysignf(0x1.fffffep-2f, x));
    return __builtin_copysignf(__builtin_fabsf(x) < 0x1p23f ? result : x, x);
}

double DEVICE(roundeven)(double x) { return __builtin_rint(x); }
float DEVICE(roundevenf)(float x) { return __builtin_rintf(x); }

/* What has no integer gives the least one, as the host's instruction does. */
static inline int64 to_int64(double x) {
    return x >= -0x1p63 && x < 0x1p63 ? (int64)x : (int64)-0x7fffffffffffffff - 1;
}

long DEVICE(lround)(double x) { return (long)to_int64(DEVICE(round)(x)); }
long DEVICE(lroundf)(float x) { return (long)to_int64(DEVICE(roundf)(x)); }
long long DEVICE(llround)(double x) { return to_int64(DEVICE(round)(x)); }
long long DEVICE(llroundf)(float x) { return to_int64(DEVICE(roundf)(x)); }
long DEVICE(lrint)(double x) { return (long)to_int64(__builtin_rint(x)); }
long DEVICE(lrintf)(float x) { return (long)to_int64(__builtin_rintf(x)); }
long long DEVICE(llrint)(double x) { return to_int64(__builtin_rint(x)); }
long long DEVICE(llrintf)(float x) { return to_int64(__builtin_rintf(x)); }

double DEVICE(fdim)(double x, double y) { return x <= y ? 0.0 : x - y; }
float DEVICE(fdimf)(float x, float y) { return x <= y ? 0.0f : x - y; }

double DEVICE(modf)(double x, double *whole) {
    double integer = __builtin_trunc(x);
    *whole = integer;
    return __builtin_copysign(is_infinite(x) ? 0.0 : x - integer, x);
}

float DEVICE(modff)(float x, float *whole) {
    float integer = __builtin_truncf(x);
    *whole = integer;
    return __builtin_copysignf(is_infinitef(x) ? 0.0f : x - integer, x);
}
