// options: -std=gnu89 -w
// Functions in the style before prototypes: identifier lists, default promotions, implicit int and declarations.
#include <stdio.h>

int add(a, b)
    int a, b;
{
    return a + b;
}

double scale(x, by)
    float x;
    short by;
{
    return x * by;
}

char *pick(list, i)
    char *list[];
    unsigned char i;
{
    return list[i];
}

plain(x) { return x + 1; }
static counter;
int nothing() { return 5; }
int call(f) int (*f)(); { return f(10, 20); }

int main()
{
    char *words[2];
    words[0] = "zero";
    words[1] = "one";
    printf("%d\n", add(1, 2));
    printf("%g\n", scale(1.5, 4));
    printf("%s\n", pick(words, 257 - 256));
    printf("%d %d %d\n", plain(4), nothing(), ++counter);
    printf("%d\n", call(add));
    printf("%d\n", later(6));
    return 0;
}

int later(x) int x; { return x * 7; }
