// Switches of up to four cases, which are compared one by one: single numbers, ranges, the ends of types, and
// a case that falls through to the next.
#include <limits.h>
#include <stdio.h>

static int of_int(int x)
{
    int n = 0;
    switch (x) {
    case INT_MIN:
        n = 1;
        break;
    case -1 ... 1:
        n = 2;
    case 7:
        n += 10;
        break;
    case INT_MAX - 1 ... INT_MAX:
        n = 4;
    }
    return n;
}
static int of_byte(unsigned char x)
{
    switch (x) {
    case 0:
        return 1;
    case 250 ... 255:
        return 2;
    default:
        return 3;
    }
}
static int of_signed_byte(signed char x)
{
    switch (x) {
    case -128 ... -100:
        return 1;
    case 127:
        return 2;
    }
    return 3;
}
static int of_long(long x)
{
    switch (x) {
    case LONG_MIN:
        return 1;
    case LONG_MAX:
        return 2;
    case -5 ... LONG_MAX - 3:
        return 3;
    default:
        return 4;
    }
}

int main(void)
{
    const int ints[] = {INT_MIN, INT_MIN + 1, -2, -1, 0, 1, 2, 7, INT_MAX - 2, INT_MAX - 1, INT_MAX};
    for (unsigned i = 0; i < sizeof ints / sizeof *ints; i++)
        printf("%d %d %d %d\n", of_int(ints[i]), of_byte(ints[i]), of_signed_byte(ints[i]), of_long(ints[i]));
    const long longs[] = {LONG_MIN, LONG_MIN + 1, -6, -5, 1L << 40, LONG_MAX - 3, LONG_MAX - 2, LONG_MAX};
    for (unsigned i = 0; i < sizeof longs / sizeof *longs; i++)
        printf("%d\n", of_long(longs[i]));
    return 0;
}
