/* What the complex functions share. */

#ifndef ACCRUE_COMPLEX_H
#define ACCRUE_COMPLEX_H

#include "device.h"

union parts {
    double _Complex number;
    double part[2];
};

union partsf {
    float _Complex number;
    float part[2];
};

/* Multiplication by I would turn an infinite imaginary part into a real part that is no number. */
static inline double _Complex make_complex(double real, double imaginary) {
    union parts both;
    both.part[0] = real;
    both.part[1] = imaginary;
    return both.number;
}

static inline float _Complex make_complexf(float real, float imaginary) {
    union partsf both;
    both.part[0] = real;
    both.part[1] = imaginary;
    return both.number;
}

double DEVICE(cabs)(double _Complex);
double DEVICE(carg)(double _Complex);
double _Complex DEVICE(cexp)(double _Complex);
double _Complex DEVICE(clog)(double _Complex);
double _Complex DEVICE(clog10)(double _Complex);
double _Complex DEVICE(cpow)(double _Complex, double _Complex);
double _Complex DEVICE(csqrt)(double _Complex);
double _Complex DEVICE(csin)(double _Complex);
double _Complex DEVICE(ccos)(double _Complex);
double _Complex DEVICE(ctan)(double _Complex);
double _Complex DEVICE(csinh)(double _Complex);
double _Complex DEVICE(ccosh)(double _Complex);
double _Complex DEVICE(ctanh)(double _Complex);
double _Complex DEVICE(casin)(double _Complex);
double _Complex DEVICE(cacos)(double _Complex);
double _Complex DEVICE(catan)(double _Complex);
double _Complex DEVICE(casinh)(double _Complex);
double _Complex DEVICE(cacosh)(double _Complex);
double _Complex DEVICE(catanh)(double _Complex);

#endif
