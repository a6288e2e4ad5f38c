/* <mm_malloc.h>: memory with an alignment, as programs for x86 processors ask for it. */
#ifndef __ACCRUE_MM_MALLOC_H
#define __ACCRUE_MM_MALLOC_H

#include <stdlib.h>

extern int posix_memalign(void **, size_t, size_t);

static __inline void *_mm_malloc(size_t __size, size_t __alignment)
{
    void *__memory;
    if (__alignment < sizeof(void *))
        __alignment = sizeof(void *);
    return posix_memalign(&__memory, __alignment, __size) ? (void *)0 : __memory;
}

static __inline void _mm_free(void *__memory)
{
    free(__memory);
}

#endif
