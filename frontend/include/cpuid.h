/* cpuid.h: what the processor says of itself. */
#ifndef __ACCRUE_CPUID_H
#define __ACCRUE_CPUID_H

/* Leaf 1, ecx. */
#define bit_SSE3 (1 << 0)
#define bit_PCLMUL (1 << 1)
#define bit_SSSE3 (1 << 9)
#define bit_FMA (1 << 12)
#define bit_CMPXCHG16B (1 << 13)
#define bit_SSE4_1 (1 << 19)
#define bit_SSE4_2 (1 << 20)
#define bit_MOVBE (1 << 22)
#define bit_POPCNT (1 << 23)
#define bit_AES (1 << 25)
#define bit_XSAVE (1 << 26)
#define bit_OSXSAVE (1 << 27)
#define bit_AVX (1 << 28)
#define bit_F16C (1 << 29)
#define bit_RDRND (1 << 30)

/* Leaf 1, edx. */
#define bit_CMPXCHG8B (1 << 8)
#define bit_CMOV (1 << 15)
#define bit_MMX (1 << 23)
#define bit_FXSAVE (1 << 24)
#define bit_SSE (1 << 25)
#define bit_SSE2 (1 << 26)

/* Leaf 7, ebx. */
#define bit_BMI (1 << 3)
#define bit_AVX2 (1 << 5)
#define bit_BMI2 (1 << 8)
#define bit_AVX512F (1 << 16)
#define bit_RDSEED (1 << 18)
#define bit_ADX (1 << 19)

/* eax, ebx, ecx and edx of a leaf. */
extern void __accrue_cpuid(unsigned __leaf, unsigned __subleaf, unsigned *__registers);

static __inline unsigned __get_cpuid_max(unsigned __leaf, unsigned *__signature)
{
    unsigned __registers[4];
    __accrue_cpuid(__leaf & 0x80000000u, 0, __registers);
    if (__signature)
        *__signature = __registers[1];
    return __registers[0];
}

static __inline int __get_cpuid_count(unsigned __leaf, unsigned __subleaf, unsigned *__eax, unsigned *__ebx,
                                      unsigned *__ecx, unsigned *__edx)
{
    unsigned __registers[4];
    unsigned __most = __get_cpuid_max(__leaf, 0);
    if (__most == 0 || __most < __leaf)
        return 0;
    __accrue_cpuid(__leaf, __subleaf, __registers);
    *__eax = __registers[0];
    *__ebx = __registers[1];
    *__ecx = __registers[2];
    *__edx = __registers[3];
    return 1;
}

static __inline int __get_cpuid(unsigned __leaf, unsigned *__eax, unsigned *__ebx, unsigned *__ecx,
                                unsigned *__edx)
{
    return __get_cpuid_count(__leaf, 0, __eax, __ebx, __ecx, __edx);
}

#define __cpuid_count(leaf, subleaf, eax, ebx, ecx, edx)                                                     \
    do {                                                                                                     \
        unsigned __registers[4];                                                                             \
        __accrue_cpuid(leaf, subleaf, __registers);                                                          \
        (eax) = __registers[0];                                                                              \
        (ebx) = __registers[1];                                                                              \
        (ecx) = __registers[2];                                                                              \
        (edx) = __registers[3];                                                                              \
    } while (0)
#define __cpuid(leaf, eax, ebx, ecx, edx) __cpuid_count(leaf, 0, eax, ebx, ecx, edx)

#endif
