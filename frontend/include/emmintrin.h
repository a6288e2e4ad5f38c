/* <emmintrin.h>: see <xmmintrin.h>. */
#ifndef __ACCRUE_EMMINTRIN_H
#define __ACCRUE_EMMINTRIN_H

#include <xmmintrin.h>

static __inline void _mm_lfence(void)
{
    __sync_synchronize();
}

static __inline void _mm_mfence(void)
{
    __sync_synchronize();
}

#endif
