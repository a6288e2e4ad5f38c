// Extrema in the order in which the loop compares, which need not be that of the variable's type.
#include "show.h"
#define N 64
static long l[N];
static int a[N];
static short s[N];

static unsigned long signed_of_unsigned(unsigned long m)
{
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: parallel: reduction max m
        if (l[i] > (long)m)
            m = (unsigned long)l[i];
    return m;
}

static int unsigned_of_int(int m)
{
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: parallel: reduction max m
        if ((unsigned long)a[i] > (unsigned long)m)
            m = a[i];
    return m;
}

static int wide_of_short(short m)
{
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: parallel: reduction min m
        if ((unsigned long)s[i] < (unsigned long)m)
            m = s[i];
    return m;
}

static unsigned long least_of_signed(unsigned long m)
{
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: parallel: reduction min m
        m = (long)m > l[i] ? (unsigned long)l[i] : m;
    return m;
}

int main(void)
{
    fill(a, N, 9);
    for (int i = 0; i < N; i++) {
        l[i] = a[i] * 1000000000000L;
        s[i] = (short)(a[i] * 5);
    }
    printf("%lu\n", signed_of_unsigned(0));
    printf("%lu\n", signed_of_unsigned(-5000000000000000UL));
    printf("%d\n", unsigned_of_int(3));
    printf("%d\n", unsigned_of_int(-1));
    printf("%d\n", wide_of_short(2000));
    printf("%d\n", wide_of_short(-3));
    printf("%lu\n", least_of_signed(100));
    printf("%lu\n", least_of_signed(-9000000000000000UL));
}
