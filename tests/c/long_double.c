// long double: arithmetic, conversions, comparisons, printf and scanf, math functions, arrays, arguments.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static long double half(long double x) { return x / 2; }
static long double many(int a, long double b, double c, long double d) { return a * b + c * d; }
static long double table[3] = {1.0L / 3, 2e4000L, -0.0L};

int main(void)
{
    long double x = 1.0L, y = 0.1L;
    printf("%d %zu %d\n", LDBL_MANT_DIG, sizeof x, LDBL_MAX_EXP);
    printf("%.20Lf %.20Lf\n", y, half(y));
    for (int i = 0; i < 63; i++)
        x *= 2;
    printf("%.0Lf %.0Lf %d\n", x, x + 1, x + 1 != x);
    printf("%.0Lf %llu\n", (long double)0xffffffffffffffffull, (unsigned long long)(x + x - 1));
    printf("%.18Lg %.18Lg\n", table[0], (long double)(1.0 / 3));
    printf("%Lg %Le\n", table[1], sqrtl(table[1]));
    printf("%d %d\n", signbit(table[2]) != 0, table[2] == 0);
    printf("%.15Lg %.15Lg\n", many(3, 0.5L, 2.0, 0.25L), fabsl(-7.5L));
    printf("%d %ld %g %g\n", (int)-3.99L, (long)1e15L, (double)y, (float)y);
    printf("%d %d %d %d\n", x < y, x > y, y <= y, x != x);
    long double parsed = strtold("1.23456789012345678901e100", 0);
    printf("%.17Lg\n", parsed);
    sscanf("2.718281828459045235", "%Lf", &parsed);
    printf("%.18Lf\n", parsed);
    x = y;
    x += 1;
    x -= 0.5;
    x *= 2;
    x++;
    printf("%.18Lf\n", -x);
    struct { char c; long double l; } s = {1, 2.5L}, t = s;
    printf("%zu %Lg %Lg\n", sizeof s, t.l, t.l + s.c);
    printf("%Lg %Lg %d\n", (long double)INFINITY, -(long double)INFINITY, isnan((long double)NAN) != 0);
    printf("%.3Lf %.3Lf %.3Lf\n", floorl(-2.5L), powl(2, 0.5L), fmodl(7.5L, 2));
    unsigned char u = 200;
    x = u;
    u = x + 10;
    printf("%d %Lg\n", u, x ? x : 1);
    return 0;
}
