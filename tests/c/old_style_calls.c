// Old-style functions called with constants of other types, redeclared without parameters; arrays freed by jumps back;
// values passed through empty assembly.
#include <stdio.h>
#include <stdlib.h>

static void *pick(first, second, use_first)
    void *first, *second;
    int use_first;
{
    return use_first ? first : second;
}

float half(x)
    float x;
{
    return x / 2;
}

static long churn(long rounds)
{
    long sum = 0, n = 0;
again:;
    int block[1000 + n % 7];
    block[n % 1000] = (int)n;
    sum += block[n % 1000];
    if (++n < rounds)
        goto again;
    return sum;
}

static int ignored(int, int used) { return used; }

int main(void)
{
    float half();
    int here = 1, through, other;
    printf("%d %d\n", pick(&here, 0, 1) == &here, pick(&here, 0, 0) == 0);
    printf("%g\n", half(5.0f));
    printf("%ld\n", churn(400000));
    printf("%d\n", ignored(1, 2));
    __asm__("" : "=r"(through), "=r"(other) : "0"(here + 4), "1"(7));
    __asm__ volatile("" : "+r"(through) : "r"(other) : "memory");
    printf("%d %d\n", through, other);
    for (int i = 0; i < 4; i = i == 1 ? 3 : i + 1)
        printf("%d ", i);
    printf("\n");
    return 0;
}
