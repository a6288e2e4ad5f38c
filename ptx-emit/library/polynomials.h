/* Minimax polynomials of the device math library. Written by coefficients.py: edit that, not this. */

#ifndef ACCRUE_POLYNOMIALS_H
#define ACCRUE_POLYNOMIALS_H

/* (exp(r) - 1 - r) / r^2 for |r| <= log(2) / 2: error 2^-58.0. */
static inline double exp_tail(double x) {
    double p = 0x1.af879ef578738p-26;
    p = __builtin_fma(p, x, 0x1.28b03c1f119c1p-22);
    p = __builtin_fma(p, x, 0x1.71ddde707fc99p-19);
    p = __builtin_fma(p, x, 0x1.a01996a29c480p-16);
    p = __builtin_fma(p, x, 0x1.a01a01bb7e8f7p-13);
    p = __builtin_fma(p, x, 0x1.6c16c185a173ap-10);
    p = __builtin_fma(p, x, 0x1.111111110d47dp-7);
    p = __builtin_fma(p, x, 0x1.555555555004dp-5);
    p = __builtin_fma(p, x, 0x1.5555555555561p-3);
    return __builtin_fma(p, x, 0x1.000000000000bp-1);
}

/* (exp(r) - 1 - r) / r^2 for |r| <= log(2) / 2: error 2^-28.3. */
static inline float exp_tailf(float x) {
    float p = 0x1.6db2b8p-10f;
    p = __builtin_fmaf(p, x, 0x1.123b4cp-7f);
    p = __builtin_fmaf(p, x, 0x1.555460p-5f);
    p = __builtin_fmaf(p, x, 0x1.55548ep-3f);
    return __builtin_fmaf(p, x, 0x1.000000p-1f);
}

/* (2 atanh(s) / s - 2) / z, z = s * s, for s from 1/sqrt(2) <= m <= sqrt(2), s = (m - 1) / (m + 1): error 2^-58.5. */
static inline double log_tail(double x) {
    double p = 0x1.2f05268d188fap-3;
    p = __builtin_fma(p, x, 0x1.39a1c06e5885fp-3);
    p = __builtin_fma(p, x, 0x1.74663eb410914p-3);
    p = __builtin_fma(p, x, 0x1.c71c520a41392p-3);
    p = __builtin_fma(p, x, 0x1.24924941f0379p-2);
    p = __builtin_fma(p, x, 0x1.999999997fdc4p-2);
    return __builtin_fma(p, x, 0x1.5555555555592p-1);
}

/* (2 atanh(s) / s - 2 - 2/3 z) / z^2, z = s * s, for the same s: error 2^-72.1. */
static inline double log_tail2(double x) {
    double p = 0x1.e8dcadcf85ea3p-4;
    p = __builtin_fma(p, x, 0x1.de7daae855241p-4);
    p = __builtin_fma(p, x, 0x1.111eb017e8fd6p-3);
    p = __builtin_fma(p, x, 0x1.3b1371c2f3fdap-3);
    p = __builtin_fma(p, x, 0x1.745d17f231ad2p-3);
    p = __builtin_fma(p, x, 0x1.c71c71c61b49fp-3);
    p = __builtin_fma(p, x, 0x1.2492492492a27p-2);
    return __builtin_fma(p, x, 0x1.9999999999999p-2);
}

/* (2 atanh(s) / s - 2) / (z log(2)), z = s * s, for the same s: error 2^-37.6. */
static inline float log2_tailf(float x) {
    float p = 0x1.5c6216p-2f;
    p = __builtin_fmaf(p, x, 0x1.a5965cp-2f);
    p = __builtin_fmaf(p, x, 0x1.277768p-1f);
    return __builtin_fmaf(p, x, 0x1.ec709ep-1f);
}

/* (2^r - 1) / r for |r| <= 1/2: error 2^-29.0. */
static inline float exp2_tailf(float x) {
    float p = 0x1.448fd8p-13f;
    p = __builtin_fmaf(p, x, 0x1.5f47c8p-10f);
    p = __builtin_fmaf(p, x, 0x1.3b29aap-7f);
    p = __builtin_fmaf(p, x, 0x1.c6aed0p-5f);
    p = __builtin_fmaf(p, x, 0x1.ebfbe0p-3f);
    return __builtin_fmaf(p, x, 0x1.62e430p-1f);
}

/* (log(1 + f) - f + f^2/2) / f^3 for 1/sqrt(2) <= 1 + f <= sqrt(2): error 2^-27.4. */
static inline float log1p_tailf(float x) {
    float p = -0x1.38ad98p-4f;
    p = __builtin_fmaf(p, x, 0x1.05598cp-3f);
    p = __builtin_fmaf(p, x, -0x1.0d85fap-3f);
    p = __builtin_fmaf(p, x, 0x1.22da80p-3f);
    p = __builtin_fmaf(p, x, -0x1.54723ep-3f);
    p = __builtin_fmaf(p, x, 0x1.99a002p-3f);
    p = __builtin_fmaf(p, x, -0x1.000226p-2f);
    return __builtin_fmaf(p, x, 0x1.555554p-2f);
}

/* (sin(x) - x) / x^3, z = x * x, for |x| <= pi/4: error 2^-58.0. */
static inline double sin_tail(double x) {
    double p = 0x1.5d931c1cd2743p-33;
    p = __builtin_fma(p, x, -0x1.ae5e669462cc2p-26);
    p = __builtin_fma(p, x, 0x1.71de357824268p-19);
    p = __builtin_fma(p, x, -0x1.a01a019c12111p-13);
    p = __builtin_fma(p, x, 0x1.111111110f87ep-7);
    return __builtin_fma(p, x, -0x1.5555555555549p-3);
}

/* (cos(x) - 1 + x^2/2) / x^4, z = x * x, for |x| <= pi/4: error 2^-63.9. */
static inline double cos_tail(double x) {
    double p = -0x1.8fcc01029ae3ap-37;
    p = __builtin_fma(p, x, 0x1.1eea29a762b84p-29);
    p = __builtin_fma(p, x, -0x1.27e4f86e03185p-22);
    p = __builtin_fma(p, x, 0x1.a01a019d4cfc2p-16);
    p = __builtin_fma(p, x, -0x1.6c16c16c1589fp-10);
    return __builtin_fma(p, x, 0x1.5555555555550p-5);
}

/* (sin(x) - x) / x^3, z = x * x, for |x| <= pi/4: error 2^-28.1. */
static inline float sin_tailf(float x) {
    float p = -0x1.994e6cp-13f;
    p = __builtin_fmaf(p, x, 0x1.110760p-7f);
    return __builtin_fmaf(p, x, -0x1.555546p-3f);
}

/* (cos(x) - 1 + x^2/2) / x^4, z = x * x, for |x| <= pi/4: error 2^-33.3. */
static inline float cos_tailf(float x) {
    float p = 0x1.9a02c2p-16f;
    p = __builtin_fmaf(p, x, -0x1.6c0c8ep-10f);
    return __builtin_fmaf(p, x, 0x1.55554ap-5f);
}

/* (tan(x) - x) / x^3, z = x * x, for |x| <= pi/4: error 2^-25.6. */
static inline float tan_tailf(float x) {
    float p = 0x1.36333cp-7f;
    p = __builtin_fmaf(p, x, 0x1.85a724p-9f);
    p = __builtin_fmaf(p, x, 0x1.91e346p-6f);
    p = __builtin_fmaf(p, x, 0x1.b54c00p-5f);
    p = __builtin_fmaf(p, x, 0x1.112fd8p-3f);
    return __builtin_fmaf(p, x, 0x1.5554d4p-2f);
}

/* (asin(x) - x) / x^3, z = x * x, for |x| <= 1/2: error 2^-59.8. */
static inline double asin_tail(double x) {
    double p = 0x1.0bb3800b02847p-5;
    p = __builtin_fma(p, x, -0x1.595ee8b01370cp-6);
    p = __builtin_fma(p, x, 0x1.649a61ec79b7fp-6);
    p = __builtin_fma(p, x, 0x1.e2a3f223f076fp-9);
    p = __builtin_fma(p, x, 0x1.6175cf3f6b4fdp-7);
    p = __builtin_fma(p, x, 0x1.757b2041ad04ap-7);
    p = __builtin_fma(p, x, 0x1.ca20d9b745724p-7);
    p = __builtin_fma(p, x, 0x1.1c49e236b9bbdp-6);
    p = __builtin_fma(p, x, 0x1.6e8bdfae576e6p-6);
    p = __builtin_fma(p, x, 0x1.f1c71a8d76043p-6);
    p = __builtin_fma(p, x, 0x1.6db6db7226e9cp-5);
    p = __builtin_fma(p, x, 0x1.333333332df6ap-4);
    return __builtin_fma(p, x, 0x1.5555555555578p-3);
}

/* (asin(x) - x) / x^3, z = x * x, for |x| <= 1/2: error 2^-27.6. */
static inline float asin_tailf(float x) {
    float p = 0x1.59db1cp-5f;
    p = __builtin_fmaf(p, x, 0x1.8ba222p-6f);
    p = __builtin_fmaf(p, x, 0x1.748c64p-5f);
    p = __builtin_fmaf(p, x, 0x1.33014ep-4f);
    return __builtin_fmaf(p, x, 0x1.5555cap-3f);
}

/* (atan(x) - x) / x^3, z = x * x, for |x| <= 1: error 2^-57.6. */
static inline double atan_tail(double x) {
    double p = 0x1.cf1f87b88e3cbp-17;
    p = __builtin_fma(p, x, -0x1.4b4f4ca3d1accp-13);
    p = __builtin_fma(p, x, 0x1.c2188951cba5dp-11);
    p = __builtin_fma(p, x, -0x1.8457299bfbe1dp-9);
    p = __builtin_fma(p, x, 0x1.e1af262c14298p-8);
    p = __builtin_fma(p, x, -0x1.ceb4b9018154dp-7);
    p = __builtin_fma(p, x, 0x1.6c18fd97cd232p-6);
    p = __builtin_fma(p, x, -0x1.ed2ed674aca69p-6);
    p = __builtin_fma(p, x, 0x1.2d374deddfc41p-5);
    p = __builtin_fma(p, x, -0x1.5a299267ed36cp-5);
    p = __builtin_fma(p, x, 0x1.830f66c51af5ep-5);
    p = __builtin_fma(p, x, -0x1.ae6e7f748d349p-5);
    p = __builtin_fma(p, x, 0x1.e1bf69841558fp-5);
    p = __builtin_fma(p, x, -0x1.110ea654c2086p-4);
    p = __builtin_fma(p, x, 0x1.3b1371b0f92f5p-4);
    p = __builtin_fma(p, x, -0x1.745d12b4cdaacp-4);
    p = __builtin_fma(p, x, 0x1.c71c719020354p-4);
    p = __builtin_fma(p, x, -0x1.24924923cfbccp-3);
    p = __builtin_fma(p, x, 0x1.999999999702dp-3);
    return __builtin_fma(p, x, -0x1.5555555555541p-2);
}

/* (atan(x) - x) / x^3, z = x * x, for |x| <= 1: error 2^-28.7. */
static inline float atan_tailf(float x) {
    float p = -0x1.dee9cep-10f;
    p = __builtin_fmaf(p, x, 0x1.6a83fap-7f);
    p = __builtin_fmaf(p, x, -0x1.01aa34p-5f);
    p = __builtin_fmaf(p, x, 0x1.dd099ap-5f);
    p = __builtin_fmaf(p, x, -0x1.58dafcp-4f);
    p = __builtin_fmaf(p, x, 0x1.c0d20ap-4f);
    p = __builtin_fmaf(p, x, -0x1.2426eep-3f);
    p = __builtin_fmaf(p, x, 0x1.999276p-3f);
    return __builtin_fmaf(p, x, -0x1.555540p-2f);
}

/* (sinh(x) - x) / x^3, z = x * x, for |x| <= 1: error 2^-63.2. */
static inline double sinh_tail(double x) {
    double p = 0x1.b4cf6bcae4318p-41;
    p = __builtin_fma(p, x, 0x1.611a3a496551dp-33);
    p = __builtin_fma(p, x, 0x1.ae6467662537bp-26);
    p = __builtin_fma(p, x, 0x1.71de3a45f79bcp-19);
    p = __builtin_fma(p, x, 0x1.a01a01a0291f2p-13);
    p = __builtin_fma(p, x, 0x1.11111111110a1p-7);
    return __builtin_fma(p, x, 0x1.5555555555556p-3);
}

/* (sinh(x) - x) / x^3, z = x * x, for |x| <= 1: error 2^-34.0. */
static inline float sinh_tailf(float x) {
    float p = 0x1.7a266cp-19f;
    p = __builtin_fmaf(p, x, 0x1.9ffe12p-13f);
    p = __builtin_fmaf(p, x, 0x1.111136p-7f);
    return __builtin_fmaf(p, x, 0x1.555556p-3f);
}

/* (tanh(x) - x) / x^3, z = x * x, for |x| <= 0.55: error 2^-60.7. */
static inline double tanh_tail(double x) {
    double p = -0x1.4781cd09302ddp-16;
    p = __builtin_fma(p, x, 0x1.5da30dd44f70fp-14);
    p = __builtin_fma(p, x, -0x1.e980764f200c7p-13);
    p = __builtin_fma(p, x, 0x1.34855d64ea0b0p-11);
    p = __builtin_fma(p, x, -0x1.7d9009874c42bp-10);
    p = __builtin_fma(p, x, 0x1.d6d29fe6af213p-9);
    p = __builtin_fma(p, x, -0x1.226e2f30bb0dap-7);
    p = __builtin_fma(p, x, 0x1.664f485a55a6cp-6);
    p = __builtin_fma(p, x, -0x1.ba1ba1b981b3dp-5);
    p = __builtin_fma(p, x, 0x1.11111111107ecp-3);
    return __builtin_fma(p, x, -0x1.555555555554fp-2);
}

/* (tanh(x) - x) / x^3, z = x * x, for |x| <= 0.55: error 2^-29.9. */
static inline float tanh_tailf(float x) {
    float p = -0x1.9bbbc2p-8f;
    p = __builtin_fmaf(p, x, 0x1.5956d2p-6f);
    p = __builtin_fmaf(p, x, -0x1.b92bc4p-5f);
    p = __builtin_fmaf(p, x, 0x1.110d3cp-3f);
    return __builtin_fmaf(p, x, -0x1.55554cp-2f);
}

/* (asinh(x) - x) / x^3, z = x * x, for |x| <= 1/2: error 2^-60.4. */
static inline double asinh_tail(double x) {
    double p = 0x1.c2d0198532e5ep-10;
    p = __builtin_fma(p, x, -0x1.374af35de7adcp-8);
    p = __builtin_fma(p, x, 0x1.e95eb63b372cap-8);
    p = __builtin_fma(p, x, -0x1.386f319ad57f8p-7);
    p = __builtin_fma(p, x, 0x1.79431934542c2p-7);
    p = __builtin_fma(p, x, -0x1.c9731a0327f68p-7);
    p = __builtin_fma(p, x, 0x1.1c4d321672a74p-6);
    p = __builtin_fma(p, x, -0x1.6e8b8cd0c344cp-6);
    p = __builtin_fma(p, x, 0x1.f1c71bab7e0c7p-6);
    p = __builtin_fma(p, x, -0x1.6db6db6bac0c7p-5);
    p = __builtin_fma(p, x, 0x1.33333333307ecp-4);
    return __builtin_fma(p, x, -0x1.5555555555541p-3);
}

/* (asinh(x) - x) / x^3, z = x * x, for |x| <= 1/2: error 2^-29.6. */
static inline float asinh_tailf(float x) {
    float p = -0x1.b21c94p-7f;
    p = __builtin_fmaf(p, x, 0x1.cda0cap-6f);
    p = __builtin_fmaf(p, x, -0x1.6b9beap-5f);
    p = __builtin_fmaf(p, x, 0x1.332530p-4f);
    return __builtin_fmaf(p, x, -0x1.555536p-3f);
}

/* (erf(x) - x) / x, z = x * x, for |x| <= 1: error 2^-62.8. */
static inline double erf_tail(double x) {
    double p = 0x1.062759c3f4196p-34;
    p = __builtin_fma(p, x, -0x1.38ac229020808p-30);
    p = __builtin_fma(p, x, 0x1.f7b99d7c497a2p-27);
    p = __builtin_fma(p, x, -0x1.5f1f40fae8889p-23);
    p = __builtin_fma(p, x, 0x1.b9df305caca82p-20);
    p = __builtin_fma(p, x, -0x1.f4d1e434bbfbfp-17);
    p = __builtin_fma(p, x, 0x1.f9a321e4b84e9p-14);
    p = __builtin_fma(p, x, -0x1.c02db3db49761p-11);
    p = __builtin_fma(p, x, 0x1.565bcd0dbd921p-8);
    p = __builtin_fma(p, x, -0x1.b82ce31284f38p-6);
    p = __builtin_fma(p, x, 0x1.ce2f21a042b34p-4);
    p = __builtin_fma(p, x, -0x1.812746b0379e6p-2);
    return __builtin_fma(p, x, 0x1.06eba8214db69p-3);
}

/* (erf(x) - x) / x, z = x * x, for |x| <= 1: error 2^-29.7. */
static inline float erf_tailf(float x) {
    float p = 0x1.4ae4c6p-14f;
    p = __builtin_fmaf(p, x, -0x1.a485f8p-11f);
    p = __builtin_fmaf(p, x, 0x1.5419fap-8f);
    p = __builtin_fmaf(p, x, -0x1.b7fbb6p-6f);
    p = __builtin_fmaf(p, x, 0x1.ce2d20p-4f);
    p = __builtin_fmaf(p, x, -0x1.81273ep-2f);
    return __builtin_fmaf(p, x, 0x1.06eba8p-3f);
}

/* log2(erfc(x)) for 1 <= x <= 4: error 2^-29.1. */
static inline float log2_erfcf(float x) {
    float p = -0x1.95d740p-16f;
    p = __builtin_fmaf(p, x, 0x1.1c0820p-11f);
    p = __builtin_fmaf(p, x, -0x1.6af196p-8f);
    p = __builtin_fmaf(p, x, 0x1.1cfcd0p-5f);
    p = __builtin_fmaf(p, x, -0x1.3ab506p-3f);
    p = __builtin_fmaf(p, x, -0x1.d52960p-1f);
    p = __builtin_fmaf(p, x, -0x1.a0cbcep+0f);
    return __builtin_fmaf(p, x, -0x1.4723eap-14f);
}

/* what exp(x^2) erfc(x) (1 + 2x) grows by from q = 0, over q, at q = (x - 4) / (x + 4), for 0 <= x <= 28: error 2^-59.2. */
static inline double erfc_scaled_tail(double x) {
    double p = 0x1.4b4651914192ep-30;
    p = __builtin_fma(p, x, 0x1.d05e4c95d9951p-30);
    p = __builtin_fma(p, x, -0x1.e45bda78eafc5p-27);
    p = __builtin_fma(p, x, -0x1.2d0ac4933471ep-26);
    p = __builtin_fma(p, x, 0x1.da077a1ee3edep-24);
    p = __builtin_fma(p, x, 0x1.3eb23f10a000ap-24);
    p = __builtin_fma(p, x, -0x1.bb72c5dbafb21p-21);
    p = __builtin_fma(p, x, 0x1.3bbfd66f2420cp-22);
    p = __builtin_fma(p, x, 0x1.7f3471c44ffacp-18);
    p = __builtin_fma(p, x, -0x1.788d4d4d168aap-17);
    p = __builtin_fma(p, x, -0x1.995ac81a62cecp-16);
    p = __builtin_fma(p, x, 0x1.3be068c37aea0p-13);
    p = __builtin_fma(p, x, -0x1.a1df169004d7ep-13);
    p = __builtin_fma(p, x, -0x1.8d4a9c17ab328p-11);
    p = __builtin_fma(p, x, 0x1.49c672701cc79p-8);
    p = __builtin_fma(p, x, -0x1.09623882e2a1cp-6);
    p = __builtin_fma(p, x, 0x1.3079edf6cf372p-5);
    p = __builtin_fma(p, x, -0x1.0fb06dfe536adp-4);
    p = __builtin_fma(p, x, 0x1.7fee004e101cfp-4);
    p = __builtin_fma(p, x, -0x1.9ddb23c3e8aedp-4);
    p = __builtin_fma(p, x, 0x1.16ecefcfa547cp-4);
    p = __builtin_fma(p, x, 0x1.f7f5df66fd71fp-7);
    return __builtin_fma(p, x, -0x1.1df1ad154a28fp-3);
}

/* what exp(x^2) erfc(x) (1 + 2x) grows by from q = 0, over q, at q = (x - 4) / (x + 4), for 3/4 <= x <= 10.2: error 2^-30.2. */
static inline float erfc_scaled_tailf(float x) {
    float p = -0x1.6c877ep-13f;
    p = __builtin_fmaf(p, x, 0x1.510da6p-8f);
    p = __builtin_fmaf(p, x, -0x1.0d7d56p-6f);
    p = __builtin_fmaf(p, x, 0x1.2fd528p-5f);
    p = __builtin_fmaf(p, x, -0x1.0f8690p-4f);
    p = __builtin_fmaf(p, x, 0x1.7ffbdcp-4f);
    p = __builtin_fmaf(p, x, -0x1.9dddf0p-4f);
    p = __builtin_fmaf(p, x, 0x1.16ec24p-4f);
    p = __builtin_fmaf(p, x, 0x1.f7f662p-7f);
    return __builtin_fmaf(p, x, -0x1.1df1acp-3f);
}

/* x times what Stirling's formula for lgamma(x) lacks, at 1 / x^2, for x >= 10: error 2^-58.4. */
static inline double stirling_tail(double x) {
    double p = -0x1.c853bc958b192p-10;
    p = __builtin_fma(p, x, 0x1.b84ea357853cfp-11);
    p = __builtin_fma(p, x, -0x1.38122e548893dp-11);
    p = __builtin_fma(p, x, 0x1.a01a00d6cfbd2p-11);
    p = __builtin_fma(p, x, -0x1.6c16c16c0bccep-9);
    return __builtin_fma(p, x, 0x1.5555555555555p-4);
}

/* lgamma(1 + t) / t for |t| <= 1/8: error 2^-58.8. */
static inline double lgamma_near1(double x) {
    double p = 0x1.352997613e8cep-4;
    p = __builtin_fma(p, x, -0x1.4a87d32188295p-4);
    p = __builtin_fma(p, x, 0x1.54fecdd68e4e3p-4);
    p = __builtin_fma(p, x, -0x1.743669d0a8758p-4);
    p = __builtin_fma(p, x, 0x1.9a034a98d9d30p-4);
    p = __builtin_fma(p, x, -0x1.c8075c01ac2c5p-4);
    p = __builtin_fma(p, x, 0x1.010b356e0e266p-3);
    p = __builtin_fma(p, x, -0x1.2703a1372f0f6p-3);
    p = __builtin_fma(p, x, 0x1.5b40cb1136430p-3);
    p = __builtin_fma(p, x, -0x1.a8b9c17b1505fp-3);
    p = __builtin_fma(p, x, 0x1.151322ac7d46ep-2);
    p = __builtin_fma(p, x, -0x1.9a4d55beab1f8p-2);
    p = __builtin_fma(p, x, 0x1.a51a6625307d3p-1);
    return __builtin_fma(p, x, -0x1.2788cfc6fb619p-1);
}

/* lgamma(2 + t) / t for |t| <= 1/8: error 2^-58.5. */
static inline double lgamma_near2(double x) {
    double p = -0x1.7cec7a9234e47p-15;
    p = __builtin_fma(p, x, 0x1.a4e1104b71a02p-14);
    p = __builtin_fma(p, x, -0x1.d3f849e357549p-13);
    p = __builtin_fma(p, x, 0x1.0b34d1160e9a3p-11);
    p = __builtin_fma(p, x, -0x1.38ac5d9d3057dp-10);
    p = __builtin_fma(p, x, 0x1.7add6f7f992b5p-9);
    p = __builtin_fma(p, x, -0x1.e404fc212dd57p-8);
    p = __builtin_fma(p, x, 0x1.51322ac7c57f9p-6);
    p = __builtin_fma(p, x, -0x1.13e001a55762dp-4);
    p = __builtin_fma(p, x, 0x1.4a34cc4a60faap-2);
    return __builtin_fma(p, x, 0x1.b0ee6072093cep-2);
}

#endif
