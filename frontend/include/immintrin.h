/* <immintrin.h>: see <xmmintrin.h>. */
#ifndef __ACCRUE_IMMINTRIN_H
#define __ACCRUE_IMMINTRIN_H

#include <emmintrin.h>

/* Cycles of the processor's own clock. */
extern unsigned long long __accrue_cycles(void);

static __inline unsigned long long __rdtsc(void)
{
    return __accrue_cycles();
}
#define _rdtsc __rdtsc

#endif
