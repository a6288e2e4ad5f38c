/* <xmmintrin.h>: what is there for x86 processors besides vectors, which accrue makes of loops only. */
#ifndef __ACCRUE_XMMINTRIN_H
#define __ACCRUE_XMMINTRIN_H

#include <mm_malloc.h>

enum _mm_hint { _MM_HINT_NTA, _MM_HINT_T2, _MM_HINT_T1, _MM_HINT_T0 };

#define _mm_prefetch(address, hint) __builtin_prefetch((address), 0, (int)(hint))

static __inline void _mm_pause(void)
{
    __asm__ volatile("pause" ::: "memory");
}

static __inline void _mm_sfence(void)
{
    __sync_synchronize();
}

#endif
