/* The first of Fibonacci's numbers that is at least n, by the definition. */
#include "../loops/timing.h"

static long fib(long n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

/* What is not known keeps compilers from taking the repetitions for one. */
long place, last;

void setup(long n)
{
    for (long a = 0, b = 1; a < n; place++) {
        b += a;
        a = b - a;
    }
}

double kernel(long n)
{
    last = fib(place);
    return last - n;
}
