// __int128: arithmetic, shifts, comparison, conversion, passing and returning.
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(const char *what, u128 x)
{
    printf("%s %016llx%016llx\n", what, (unsigned long long)(x >> 64), (unsigned long long)x);
}
static u128 multiply(unsigned long a, unsigned long b) { return (u128)a * b; }
static i128 negate(int pad, i128 x) { return pad + -x; }
struct holder { char c; i128 x; };

int main(void)
{
    u128 big = multiply(0xffffffffffffffffu, 0xfffffffffffffffeu), f = 1;
    show("product", big);
    for (int i = 1; i <= 30; i++)
        f *= i;
    show("30!", f);
    show("quotient", big / 1000000007u);
    show("remainder", big % 1000000007u);
    show("by wide", f / ((u128)1 << 70));
    show("negated", negate(1, 5));
    show("shifted", (i128)-256 >> 4);
    show("left", (u128)3 << 100);
    show("logical", ~(u128)0 >> 65);
    show("sum", big + f);
    show("difference", f - big);
    show("mixed", (big & f) ^ (big | 5));
    i128 s = -7;
    printf("%d %d %d %d\n", (int)(s / 2), (int)(s % 2), s < 0, s < (i128)1 << 90);
    printf("%d %g %g\n", (u128)s > f, (double)f, (double)s);
    show("from double", (u128)1e30);
    struct holder h = {1, -1};
    printf("%zu %zu %d\n", sizeof h, _Alignof(i128), (int)(h.x + h.c));
    u128 sum = 0, digits[40];
    int n = 0;
    for (u128 x = f; x; x /= 10)
        digits[n++] = x % 10;
    while (n--)
        printf("%d", (int)digits[n]);
    for (int i = 0; i < 5; i++)
        sum += (u128)i << (20 * i);
    show("\nsum", sum);
    return 0;
}
