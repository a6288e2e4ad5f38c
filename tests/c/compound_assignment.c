// Compound assignment and increments: mixed types, single evaluation of the left side, values and conversions.
#include <stdio.h>

static int calls;
static int array[4] = {1, 2, 3, 4};
static int *pick(int i) { calls++; return &array[i]; }

int main(void)
{
    int i = 7;
    i += 2.9;
    printf("%d\n", i);
    i *= 1.5;
    printf("%d\n", i);
    i -= 'a';
    i /= -4;
    i %= 7;
    i <<= 3;
    i |= 5;
    i &= ~1;
    i ^= 0xff;
    i >>= 1;
    printf("%d\n", i);
    unsigned char c = 250;
    printf("%d\n", c += 10);
    c = 255;
    printf("%d ", c++);
    printf("%d ", c);
    printf("%d\n", --c);
    float f = 16777216;
    f += 1;
    printf("%g\n", f);
    unsigned u = 1;
    u -= 2;
    u /= 2;
    printf("%u\n", u);
    *pick(1) += 40;
    (*pick(2))++;
    pick(3)[-3] -= 5;
    printf("%d %d %d %d, %d\n", array[0], array[1], array[2], array[3], calls);
    double d = 1;
    d += i = 3;
    printf("%g %d\n", d, i);
    int a, b, e;
    a = b = e = 5;
    a += b -= e *= 2;
    printf("%d %d %d\n", a, b, e);
    long l = 1;
    l <<= 40u;
    l += u;
    printf("%ld\n", l);
    char *p = "pointer";
    p += 2;
    printf("%s ", p++);
    printf("%s\n", p);
    _Bool t = 0;
    t |= 4;
    printf("%d ", t);
    t += 1;
    t ^= 1;
    printf("%d\n", t);
    short s = 1;
    s -= 70000;
    printf("%d\n", s);
    i = 5;
    int post = i++ * 2, pre = ++i * 2;
    printf("%d %d %d\n", post, pre, i);
    return 0;
}
