// Inline semantics: static inline, C99 inline with an extern declaration, gnu_inline, always_inline, address taken.
#include <stdio.h>

static inline int square(int x) { return x * x; }
inline int twice(int x) { return 2 * x; }
extern int twice(int x);
static inline __attribute__((always_inline)) int forced(int x) { return x + 1; }
static __attribute__((noinline)) int never(int x) { return x - 1; }
extern __inline__ __attribute__((__gnu_inline__)) int absolute(int x) { return x < 0 ? -x : x; }
int absolute(int x) { return x < 0 ? -x + 1000 : x; }

static inline int counted(void)
{
    static int n;
    return ++n;
}

static inline int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
_Noreturn static void stop(void);

int main(void)
{
    int (*p)(int) = square, (*q)(int) = twice;
    printf("%d %d %d %d\n", square(7), twice(8), forced(1), never(1));
    printf("%d %d\n", p(3), q(4));
    counted();
    counted();
    printf("%d\n", counted());
    printf("%d\n", factorial(6));
    printf("%d\n", absolute(5));
    stop();
}

#include <stdlib.h>
static void stop(void)
{
    exit(0);
}
