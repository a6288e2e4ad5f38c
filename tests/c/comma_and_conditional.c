// Comma, conditional and logical operators: order, types of the result, omitted middle operand, nesting, lvalues.
#include <stdio.h>

static char trace[32];
static int length;
static int say(char c, int value) { trace[length++] = c; return value; }
static void flush(void) { trace[length] = 0; printf("%s\n", trace); length = 0; }

struct s { int x[2]; };

int main(void)
{
    int a = 1, b = 2;
    int c = (say('a', 0), say('b', 5));
    flush();
    printf("%d\n", c);
    printf("%d\n", say('a', 0) && say('b', 1));
    flush();
    printf("%d\n", say('a', 2) || say('b', 1));
    flush();
    printf("%d\n", say('a', 0) || (say('b', 3) && say('c', 0)) || say('d', 4));
    flush();
    int kept = say(0x78, 7) ?: say(0x79, 8), other = say(0x70, 0) ?: say(0x71, 9);
    printf("%d %d\n", kept, other);
    flush();
    printf("%zu %zu %zu\n", sizeof(1 ? 1 : 1.0), sizeof(1 ? (char)1 : (short)2), sizeof(a ? 1 : 2ll));
    printf("%d\n", 1 ? -1 : 0u > 0);
    printf("%g\n", a ? 3 : 2.5);
    void *v = a ? &a : (void *)0;
    const int *p = a ? &b : (const int *)&c;
    printf("%d %d\n", *(int *)v, *p);
    int *null = b ? 0 : &a;
    printf("%d\n", null == 0);
    struct s s = {{1, 2}}, t = {{3, 4}};
    printf("%d\n", (a > b ? s : t).x[1]);
    *(a > b ? &a : &b) = 50;
    printf("%d %d\n", a, b);
    printf("%s\n", b < 10 ? "small" : b < 100 ? "medium" : "large");
    a ? (void)(b = 1) : (void)(b = 2);
    printf("%d\n", b);
    for (a = 0, b = 10; a < b; a++, b--)
        ;
    printf("%d %d\n", a, b);
    printf("%d\n", (a, b, (c = 3, c + 1)));
    printf("%d %d\n", !a, !!a);
    int x = a > 3 && b > 3 ? a == b || c : 0;
    printf("%d\n", x);
    length = 0;
    if (say('1', 1) & say('2', 0) | say('3', 1) ^ say('4', 1))
        printf("bits\n");
    printf("%d\n", length);
    return 0;
}
