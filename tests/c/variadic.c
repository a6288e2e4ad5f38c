// Variadic functions: every class of argument, va_copy, passing a va_list on, many arguments.
#include <stdarg.h>
#include <stdio.h>

struct small { int a, b; };
struct mixed { double d; long l; };
struct large { long v[5]; };
struct floats { float x, y, z; };

static double mean(int n, ...)
{
    va_list list, again;
    double s = 0, spread = 0;
    va_start(list, n);
    va_copy(again, list);
    for (int i = 0; i < n; i++)
        s += va_arg(list, double);
    va_end(list);
    for (int i = 0; i < n; i++) {
        double d = va_arg(again, double) - s / n;
        spread += d * d;
    }
    va_end(again);
    printf("spread %g\n", spread);
    return s / n;
}

static void show(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    for (; *format; format++) {
        switch (*format) {
        case 'i': printf("i%d ", va_arg(list, int)); break;
        case 'u': printf("u%u ", va_arg(list, unsigned)); break;
        case 'l': printf("l%ld ", va_arg(list, long)); break;
        case 'd': printf("d%g ", va_arg(list, double)); break;
        case 'L': printf("L%Lg ", va_arg(list, long double)); break;
        case 'p': printf("p%s ", va_arg(list, char *)); break;
        case 's': { struct small s = va_arg(list, struct small); printf("s%d,%d ", s.a, s.b); break; }
        case 'm': { struct mixed m = va_arg(list, struct mixed); printf("m%g,%ld ", m.d, m.l); break; }
        case 'f': { struct floats f = va_arg(list, struct floats); printf("f%g,%g,%g ", f.x, f.y, f.z); break; }
        case 'v': { struct large v = va_arg(list, struct large); printf("v%ld,%ld ", v.v[0], v.v[4]); break; }
        }
    }
    va_end(list);
    printf("\n");
}

static int forward(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsprintf(to, format, list);
    va_end(list);
    return n;
}

static long helper(va_list *list) { return va_arg(*list, long); }
static long through_pointer(int n, ...)
{
    va_list list;
    long s = 0;
    va_start(list, n);
    while (n--)
        s = s * 10 + helper(&list);
    va_end(list);
    return s;
}

int main(void)
{
    printf("%g\n", mean(4, 1.0, 2.0, 3.0, 6.0));
    printf("%g\n", mean(10, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.));
    struct small s = {1, 2};
    struct mixed m = {2.5, 3};
    struct large v = {{4, 5, 6, 7, 8}};
    struct floats f = {1.5f, 2.5f, 3.5f};
    show("iuldp", -1, 2u, 3L, 4.5, "five");
    show("smvfi", s, m, v, f, 7);
    show("iiiiiiilllssmmff", 1, 2, 3, 4, 5, 6, 7, 8L, 9L, 10L, s, s, m, m, f, f);
    show("ddddddddddmi", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., m, 11);
    show("LiLd", 1.5L, 2, 3.5L, 4.0);
    show("idvidv", 1, 2., v, 3, 4., v);
    float promoted = 1.25f;
    char c = 'A';
    short h = -5;
    show("dii", promoted, c, h);
    char text[64];
    printf("%d ", forward(text, "%s %d %5.2f %c|%-6s|%06d", "x", 42, 3.14159, '!', "left", -12));
    printf("%s\n", text);
    printf("%ld\n", through_pointer(8, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L));
    return 0;
}
