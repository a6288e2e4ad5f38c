// What headers for x86 processors have besides vectors, and assembly templates without effect.
#include <immintrin.h>
#include <mm_malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <x86intrin.h>

#ifdef __SSE2__
#error "there are no vectors to be used"
#endif

static int waited(int rounds)
{
    int done = 0;
    while (rounds-- > 0) {
        _mm_pause();
        __asm__ volatile("nop; nop");
        __asm__(".p2align 4\n\tnop # for the loop");
        __asm__ volatile("rep; nop" ::: "memory");
        done++;
    }
    return done;
}

int main(void)
{
    double *a = _mm_malloc(100 * sizeof(double), 64);
    uint64_t before = __rdtsc();
    for (int i = 0; i < 100; i++) {
        _mm_prefetch((const char *)&a[i], _MM_HINT_T0);
        a[i] = i;
    }
    _mm_mfence();
    printf("%d %g %d %d\n", (int)((uintptr_t)a % 64), a[99], waited(3), __rdtsc() >= before && _rdtsc() != 0);
    _mm_free(a);
    return 0;
}
