/* The integer functions of <stdlib.h> and <strings.h>. */

#include "device.h"

/* Laid out as div_t, ldiv_t and lldiv_t. */
struct int_division {
    int quot;
    int rem;
};

struct long_division {
    long quot;
    long rem;
};

struct long_long_division {
    long long quot;
    long long rem;
};

int DEVICE(abs)(int x) { return x < 0 ? -x : x; }
long DEVICE(labs)(long x) { return x < 0 ? -x : x; }
long long DEVICE(llabs)(long long x) { return x < 0 ? -x : x; }

struct int_division DEVICE(div)(int x, int y) {
    struct int_division result;
    result.quot = x / y;
    result.rem = x % y;
    return result;
}

struct long_division DEVICE(ldiv)(long x, long y) {
    struct long_division result;
    result.quot = x / y;
    result.rem = x % y;
    return result;
}

struct long_long_division DEVICE(lldiv)(long long x, long long y) {
    struct long_long_division result;
    result.quot = x / y;
    result.rem = x % y;
    return result;
}

int DEVICE(ffs)(int x) { return x ? __builtin_ctz((unsigned)x) + 1 : 0; }
int DEVICE(ffsl)(long x) { return x ? __builtin_ctzll((uint64)x) + 1 : 0; }
int DEVICE(ffsll)(long long x) { return x ? __builtin_ctzll((uint64)x) + 1 : 0; }

/* Beyond the range, C leaves the result open: the digits wrap around. */
long long DEVICE(atoll)(const char *text) {
    while (*text == ' ' || (*text >= '\t' && *text <= '\r')) text++;
    int negative = *text == '-';
    if (negative || *text == '+') text++;
    uint64 value = 0;
    for (; *text >= '0' && *text <= '9'; text++) value = value * 10 + (uint64)(*text - '0');
    return (long long)(negative ? 0 - value : value);
}

long DEVICE(atol)(const char *text) { return (long)DEVICE(atoll)(text); }
int DEVICE(atoi)(const char *text) { return (int)DEVICE(atoll)(text); }
