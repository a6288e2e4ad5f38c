/* The functions behind the classification macros of <math.h>. */

#include "device.h"

/* The numbering of glibc's FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL. */
int DEVICE(__fpclassify)(double x) {
    uint64 bits = magnitude_bits(x);
    if (bits >= INFINITE_D) return bits == INFINITE_D;
    return bits == 0 ? 2 : bits <= FRACTION_D ? 3 : 4;
}

int DEVICE(__fpclassifyf)(float x) {
    uint32 bits = magnitude_bitsf(x);
    if (bits >= INFINITE_F) return bits == INFINITE_F;
    return bits == 0 ? 2 : bits <= FRACTION_F ? 3 : 4;
}

int DEVICE(__isnan)(double x) { return is_nan(x); }
int DEVICE(__isnanf)(float x) { return is_nanf(x); }
int DEVICE(isnan)(double x) { return is_nan(x); }
int DEVICE(isnanf)(float x) { return is_nanf(x); }
int DEVICE(__isinf)(double x) { return is_infinite(x) ? 1 - 2 * sign_of(x) : 0; }
int DEVICE(__isinff)(float x) { return is_infinitef(x) ? 1 - 2 * sign_off(x) : 0; }
int DEVICE(isinf)(double x) { return is_infinite(x) ? 1 - 2 * sign_of(x) : 0; }
int DEVICE(isinff)(float x) { return is_infinitef(x) ? 1 - 2 * sign_off(x) : 0; }
int DEVICE(__finite)(double x) { return is_finite(x); }
int DEVICE(__finitef)(float x) { return is_finitef(x); }
int DEVICE(finite)(double x) { return is_finite(x); }
int DEVICE(finitef)(float x) { return is_finitef(x); }
int DEVICE(__signbit)(double x) { return sign_of(x); }
int DEVICE(__signbitf)(float x) { return sign_off(x); }
int DEVICE(__issignaling)(double x) { return is_nan(x) && !(bits_of(x) & 0x0008000000000000u); }
int DEVICE(__issignalingf)(float x) { return is_nanf(x) && !(bits_off(x) & 0x00400000u); }
int DEVICE(__iseqsig)(double x, double y) { return x == y; }
int DEVICE(__iseqsigf)(float x, float y) { return x == y; }

/* Device programs do not read the payload back. */
double DEVICE(nan)(const char *payload) {
    (void)payload;
    return NAN_D;
}

float DEVICE(nanf)(const char *payload) {
    (void)payload;
    return NAN_F;
}
