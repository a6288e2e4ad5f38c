// Structures by value: every class of the calling convention, as arguments and results.
#include <stdio.h>

struct i1 { char a; };
struct i2 { short a; char b; };
struct i8 { int a, b; };
struct i16 { long a; int b; };
struct f4 { float a; };
struct f8 { float a, b; };
struct f12 { float a, b, c; };
struct f16 { double a, b; };
struct fi { float a; int b; };
struct di { double a; int b; };
struct id { int a; double b; };
struct mix { char c; float f; short s; double d; };
struct big { int a[6]; };
struct odd { char a[7]; };
struct nine { char a[9]; };
struct nested { struct f8 f; struct i8 i; };
struct ld { long double a; };
union u { double d; long l; };
struct ptr { const char *p; double d; };
struct empty_tail { long a; char b; };

#define FUNCTION(T, EXPR) static struct T make_##T(int n, struct T x) { EXPR; return x; }
FUNCTION(i1, x.a += n)
FUNCTION(i2, (x.a += n, x.b -= n))
FUNCTION(i8, (x.a += n, x.b -= n))
FUNCTION(i16, (x.a += n, x.b -= n))
FUNCTION(f4, x.a += n)
FUNCTION(f8, (x.a += n, x.b -= n))
FUNCTION(f12, (x.a += n, x.c -= n))
FUNCTION(f16, (x.a += n, x.b -= n))
FUNCTION(fi, (x.a += n, x.b -= n))
FUNCTION(di, (x.a += n, x.b -= n))
FUNCTION(id, (x.a += n, x.b -= n))
FUNCTION(mix, (x.c += n, x.f += n, x.s += n, x.d += n))
FUNCTION(big, (x.a[0] += n, x.a[5] -= n))
FUNCTION(odd, (x.a[0] += n, x.a[6] -= n))
FUNCTION(nine, (x.a[0] += n, x.a[8] -= n))
FUNCTION(nested, (x.f.b += n, x.i.a -= n))
FUNCTION(ld, x.a += n)
FUNCTION(ptr, (x.p += n, x.d += n))
static union u make_u(int n, union u x) { x.l += n; return x; }

static long many(struct i16 a, struct i16 b, struct i16 c, struct i16 d, int e, struct big f, struct f16 g, struct di h)
{
    return a.a + b.b * 10 + c.a * 100 + d.b * 1000 + e * 10000 + f.a[3] * 100000 + (long)g.b * 1000000 + h.b * 10000000;
}

static double floats(struct f8 a, struct f12 b, struct f16 c, struct f16 d, struct f16 e, double f, struct f4 g)
{
    return a.a + a.b + b.c + c.a + d.b + e.a + f * 100 + g.a * 1000;
}

static struct big (*indirect)(int, struct big) = make_big;

int main(void)
{
    struct i1 i1 = make_i1(2, (struct i1){3});
    struct i2 i2 = make_i2(2, (struct i2){300, 4});
    struct i8 i8 = make_i8(2, (struct i8){5, 6});
    struct i16 i16 = make_i16(2, (struct i16){1L << 40, 7});
    struct f4 f4 = make_f4(2, (struct f4){1.5f});
    struct f8 f8 = make_f8(2, (struct f8){1.5f, 2.5f});
    struct f12 f12 = make_f12(2, (struct f12){1, 2, 3});
    struct f16 f16 = make_f16(2, (struct f16){1.25, 2.25});
    struct fi fi = make_fi(2, (struct fi){1.5f, 9});
    struct di di = make_di(2, (struct di){1.5, 9});
    struct id id = make_id(2, (struct id){9, 1.5});
    struct mix mix = make_mix(2, (struct mix){1, 2, 3, 4});
    struct big big = make_big(2, (struct big){{1, 2, 3, 4, 5, 6}});
    struct odd odd = make_odd(2, (struct odd){"abcdef"});
    struct nine nine = make_nine(2, (struct nine){"abcdefgh"});
    struct nested nested = make_nested(2, (struct nested){{1, 2}, {3, 4}});
    struct ld ld = make_ld(2, (struct ld){1.5L});
    struct ptr ptr = make_ptr(2, (struct ptr){"pointer", 0.5});
    union u u = make_u(2, (union u){.l = 40});
    printf("%d %d %d %d %d %ld %d\n", i1.a, i2.a, i2.b, i8.a, i8.b, i16.a, i16.b);
    printf("%g %g %g %g %g %g %g\n", f4.a, f8.a, f8.b, f12.a, f12.b, f12.c, f16.a + f16.b);
    printf("%g %d %g %d %d %g\n", fi.a, fi.b, di.a, di.b, id.a, id.b);
    printf("%d %g %d %g\n", mix.c, mix.f, mix.s, mix.d);
    printf("%d %d %d %c %d %d\n", big.a[0], big.a[3], big.a[5], odd.a[0], odd.a[6], nine.a[8]);
    printf("%g %g %d %d %Lg %s %g %ld\n", nested.f.a, nested.f.b, nested.i.a, nested.i.b, ld.a, ptr.p, ptr.d, u.l);
    printf("%ld\n", many((struct i16){1, 0}, (struct i16){0, 2}, (struct i16){3, 0}, (struct i16){0, 4}, 5,
                         (struct big){{0, 0, 0, 6}}, (struct f16){0, 7}, (struct di){0, 8}));
    printf("%g\n", floats((struct f8){1, 2}, (struct f12){0, 0, 3}, (struct f16){4, 0}, (struct f16){0, 5},
                          (struct f16){6, 0}, 7, (struct f4){8}));
    printf("%d\n", indirect(5, big).a[0]);
    printf("%d\n", make_big(1, make_big(2, big)).a[5]);
    return 0;
}
