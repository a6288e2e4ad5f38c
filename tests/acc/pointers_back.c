/* Pointers that are stepped before what they lead to is accessed, downwards and upwards, by one element and by two. */
#include <stdio.h>

enum { N = 48, STRIPE = 8 };

static void down(long *a)
{
#pragma acc parallel loop copy(a[0 : N])
    for (int i = 0; i < N; i += STRIPE) {
        long *end = &a[i + 3], *start = &a[i];
        while (end > start)
            *--end += i + 7;
    }
}

static void up(double *a)
{
#pragma acc parallel loop gang vector copy(a[0 : N])
    for (int i = 0; i < N; i += STRIPE) {
        double *at = a + i, *last = a + i + STRIPE - 2;
        do {
            at += 2;
            at[-1] = at[0] + i;
            *at = 3;
        } while (at < last);
    }
}

static void bytes(unsigned char *a)
{
#pragma acc parallel loop copy(a[0 : N])
    for (int i = 0; i < N; i += STRIPE) {
        unsigned char *at = a + i + STRIPE;
        for (int k = 0; k < STRIPE; k++) {
            at--;
            *at = *at + k * i;
        }
    }
}

int main(void)
{
    long a[N];
    double b[N];
    unsigned char c[N];
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 2 * i;
        c[i] = 3 * i;
    }
    down(a);
    up(b);
    bytes(c);
    for (int i = 0; i < N; i++)
        printf("%ld %g %d%c", a[i], b[i], c[i], i % 6 < 5 ? ' ' : '\n');
    return 0;
}
