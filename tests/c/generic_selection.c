// _Generic: qualifiers, arrays and functions decay, default, nested, unevaluated operands, _Static_assert.
#include <assert.h>
#include <stddef.h>
#include <stdio.h>

#define NAME(x) _Generic((x), \
    _Bool: "bool", char: "char", signed char: "signed char", unsigned char: "unsigned char", short: "short", \
    int: "int", unsigned int: "unsigned", long: "long", unsigned long: "unsigned long", long long: "long long", \
    float: "float", double: "double", long double: "long double", char *: "char *", const char *: "const char *", \
    void *: "void *", int *: "int *", const int *: "const int *", int (*)[3]: "int (*)[3]", \
    int (*)(void): "function", struct s: "struct s", default: "default")

struct s { int x; };
struct t { int x; };
enum e { E = -1 };
static int f(void) { return 1; }

#define absolute(x) _Generic((x), int: abs_int, double: abs_double)(x)
static int abs_int(int x) { return x < 0 ? -x : x; }
static double abs_double(double x) { return x < 0 ? -x : x; }

static_assert(sizeof(int) == 4, "int has four bytes");
_Static_assert(offsetof(struct s, x) == 0, "first member");

int main(void)
{
    const int ci = 1;
    int a[3] = {0};
    char c = 'c';
    struct s s = {1};
    struct t t = {1};
    int n = 0;
    printf("%s %s %s %s\n", NAME(ci), NAME('c'), NAME(c), NAME((char)1));
    printf("%s %s %s %s\n", NAME("text"), NAME((const char *)0), NAME((void *)0), NAME(a));
    printf("%s %s %s\n", NAME(&a), NAME(&ci), NAME(f));
    printf("%s %s %s %s\n", NAME(s), NAME(t), NAME(E), NAME((enum e)0));
    printf("%s %s %s %s\n", NAME(1.0), NAME(1.0f), NAME(1.0L), NAME((_Bool)1));
    printf("%s %s %s\n", NAME(sizeof 1), NAME(1u), NAME((short)1));
    printf("%s\n", NAME((&a[2] - &a[0])));
    printf("%d %g\n", absolute(-3), absolute(-2.5));
    printf("%d %d\n", _Generic(n++, int: 5, default: 6), n);
    printf("%d\n", _Generic(1, long: 1, default: _Generic(1.0, double: 2, default: 3)));
    _Static_assert(_Generic(0, int: 1, default: 0), "generic in a constant expression");
    return 0;
}
