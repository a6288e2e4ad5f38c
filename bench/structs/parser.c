/* Sums and products of a text of n characters: a scanner with its state in a structure. */
#include "../loops/timing.h"

typedef struct {
    const char *at, *end;
} scanner;

static int peek(const scanner *s)
{
    return s->at < s->end ? *s->at : 0;
}

static int next(scanner *s)
{
    int c = peek(s);
    if (c)
        s->at++;
    return c;
}

static int is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static int accept(scanner *s, int c)
{
    if (peek(s) != c)
        return 0;
    next(s);
    return 1;
}

static long number(scanner *s)
{
    long value = 0;
    while (is_digit(peek(s)))
        value = value * 10 + (next(s) - '0');
    return value;
}

static long product(scanner *s)
{
    long value = number(s);
    while (accept(s, '*'))
        value = value * number(s) % 1000003;
    return value;
}

static long sum(scanner *s)
{
    long value = product(s);
    for (;;) {
        if (accept(s, '+'))
            value += product(s);
        else if (accept(s, '-'))
            value -= product(s);
        else
            return value;
    }
}

char *text;

void setup(long n)
{
    text = array(n + 1, 1);
    for (long i = 0; i < n; i++)
        text[i] = i % 4 < 3 ? '1' + i % 7 : "+*-"[i / 4 % 3];
    text[n - 1] = '1';
    text[n] = 0;
}

double kernel(long n)
{
    scanner s = {text, text + n};
    return sum(&s);
}
