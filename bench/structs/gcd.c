/* The greatest common divisors of n pairs, recursively; a chain of small functions. */
#include "../loops/timing.h"

static unsigned gcd(unsigned a, unsigned b)
{
    return b == 0 ? a : gcd(b, a % b);
}

static int even(unsigned x)
{
    return x % 2 == 0;
}

static unsigned clamp(unsigned x, unsigned low, unsigned high)
{
    return x < low ? low : x > high ? high : x;
}

/* What is not known keeps compilers from taking the repetitions for one. */
long last;

void setup(long n)
{
    last = n;
}

double kernel(long n)
{
    unsigned long sum = 0;
    for (long i = 1; i <= n; i++) {
        unsigned g = gcd((unsigned)(i * 7919 % 65521), (unsigned)i);
        sum += clamp(even(g) ? g / 2 : g, 1, 100);
    }
    last = sum;
    return last;
}
