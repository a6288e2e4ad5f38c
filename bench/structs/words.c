/* The words of a text of n characters, and a hash of it: predicates of a character. */
#include "../loops/timing.h"

static int lower(int c)
{
    return c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c;
}

static int is_letter(int c)
{
    c = lower(c);
    return c >= 'a' && c <= 'z';
}

static long words(const char *text, long n)
{
    long found = 0;
    int inside = 0;
    for (long i = 0; i < n; i++) {
        int letter = is_letter(text[i]);
        if (letter && !inside)
            found++;
        inside = letter;
    }
    return found;
}

static unsigned hash(const char *text, long n)
{
    unsigned value = 5381;
    for (long i = 0; i < n; i++)
        value = value * 33 ^ (unsigned)lower(text[i]);
    return value;
}

char *text;

void setup(long n)
{
    text = array(n, 1);
    for (long i = 0; i < n; i++)
        text[i] = "Hello World, abc 12 Zz"[i % 22];
}

double kernel(long n)
{
    return (double)hash(text, n) + words(text, n);
}
