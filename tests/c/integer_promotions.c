// Integer promotions and the usual arithmetic conversions.
#include <limits.h>
#include <stdio.h>

#define KIND(e) _Generic((e), int: "int", unsigned: "unsigned", long: "long", unsigned long: "unsigned long", \
    long long: "long long", unsigned long long: "unsigned long long", float: "float", double: "double", default: "other")

int main(void)
{
    signed char sc = -1;
    unsigned char uc = 255;
    short s = -2;
    unsigned short us = 65535;
    _Bool b = 1;
    unsigned u = 1;
    long l = -1;
    unsigned long ul = 2;
    long long ll = 3;

    printf("%s %s %s %s %s\n", KIND(+sc), KIND(~uc), KIND(-s), KIND(us + us), KIND(b << 1));
    printf("%s %s %s %s %s\n", KIND(u + 1), KIND(u + l), KIND(ul + l), KIND(ll + ul), KIND(ll + l));
    printf("%s %s %s\n", KIND(1.0f + 1), KIND(1.0f * 1.0), KIND(uc * 1ul));
    printf("%d %d\n", sc == uc, (unsigned char)sc == uc);
    printf("%d %d\n", -1 < u, l < u);
    printf("%d %d\n", us * 30000 / us, uc + uc);
    printf("%d %d\n", ~uc, ~us);
    printf("%d\n", (char)0x80 < 0);
    uc += 1;
    us++;
    printf("%d %d\n", uc, us);
    sc = 127;
    sc++;
    printf("%d\n", sc);
    printf("%u\n", (unsigned)s);
    printf("%lu\n", (unsigned long)s + 1);
    printf("%d %d\n", -7 / 2, -7 % 2);
    printf("%d\n", (int)(unsigned char)-3);
    printf("%lld\n", (long long)(int)UINT_MAX);
    s = 0x12345;
    printf("%d\n", s);
    uc = 3;
    uc = -uc;
    printf("%d\n", uc);
    uc = 200;
    uc = uc * 2 / 2;
    printf("%d\n", uc);
    b = 256;
    printf("%d\n", b);
    b = 0.25;
    printf("%d\n", b);
    b--;
    printf("%d ", b);
    b--;
    printf("%d ", b);
    b += 5;
    printf("%d\n", b);
    return 0;
}
