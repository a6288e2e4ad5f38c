// Conversions between all arithmetic types, by assignment, cast, argument and return.
#include <stdio.h>

#define ALL(T, name) \
    static T to_##name(long double x) { return (T)x; } \
    static void show_##name(T v) { \
        printf(#name ": %d %d %u %ld %llu %g %g %Lg\n", (signed char)v, (short)v, (unsigned)(long)v, (long)v, \
               (unsigned long long)(v < 0 ? 0 : v), (float)v, (double)v, (long double)v); }
ALL(_Bool, bool) ALL(char, char) ALL(unsigned char, uchar) ALL(short, short) ALL(unsigned short, ushort)
ALL(int, int) ALL(unsigned, uint) ALL(long, long) ALL(unsigned long, ulong)
#undef ALL
#define ALL(T, name) \
    static void show_##name(T v) { \
        printf(#name ": %d %d %u %ld %llu %g %g %Lg\n", (signed char)(int)v, (short)(int)v, (unsigned)(long)v, (long)v, \
               (unsigned long long)(v < 0 ? 0 : v), (float)v, (double)v, (long double)v); }
ALL(float, float) ALL(double, double) ALL(long double, ldouble)

static double narrow(float f) { return f; }
static float truncated(double d) { return d; }
static unsigned char low(int x) { return x; }
static _Bool truth(double d) { return d; }

int main(void)
{
    show_bool(to_bool(0.5L));
    show_char(to_char(-100.9L));
    show_uchar(to_uchar(200.9L));
    show_short(to_short(-30000));
    show_ushort(to_ushort(60000));
    show_int(to_int(-2000000000));
    show_uint(to_uint(4000000000u));
    show_long(to_long(-5e15L));
    show_ulong(to_ulong(18e18L));
    show_float(-2.75f);
    show_double(1e9 + 0.5);
    show_ldouble(100.25L);
    printf("%.10g %.10g %d %d %d\n", narrow(0.1), truncated(0.1), low(-1), truth(1e-300), truth(-0.0));
    unsigned long long big = 0x8000000000000401u;
    printf("%.20g %.10g\n", (double)big, (float)big);
    printf("%llu %u\n", (unsigned long long)9.3e18, (unsigned)3e9f);
    int i = 16777217;
    float f = i;
    printf("%d %d\n", (int)f, i == f);
    long l = -1;
    unsigned u = l;
    short s = u;
    printf("%u %d %lu\n", u, s, (unsigned long)s);
    char c = 3.99;
    c *= 2.5;
    printf("%d\n", c);
    return 0;
}
