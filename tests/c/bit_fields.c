// Bit-fields: packing, sign, unnamed and zero width, across units, assignment results, unions over them.
#include <stdio.h>
#include <string.h>

struct packed {
    unsigned a : 3;
    signed b : 5;
    unsigned : 2;
    unsigned c : 10;
    int d : 12;
    unsigned : 0;
    unsigned char e : 1;
    _Bool f : 1;
    unsigned long long g : 40;
    long long h : 24;
    short i : 9, j : 7;
};

union view {
    struct {
        unsigned low : 16, middle : 8, high : 8;
    };
    unsigned whole;
};

enum colour { RED, GREEN, BLUE };
struct tagged {
    enum colour colour : 4;
    unsigned value : 28;
};

static struct packed global = {5, -7, 1000, -2048, 1, 1, 0xabcdef0123, -8388608, -256, 63};

int main(void)
{
    struct packed p = {.a = 9 & 7, .b = 15, .d = 2047};
    unsigned char bytes[sizeof p];

    printf("%zu %zu\n", sizeof p, sizeof(union view));
    printf("%u %d %u %d %d %d %llx %lld %d %d\n", global.a, global.b, global.c, global.d, global.e, global.f,
           (unsigned long long)global.g, (long long)global.h, global.i, global.j);
    memset(&p, 0, sizeof p);
    p.a = 7;
    p.c = 1023;
    p.g = 0xffffffffff;
    memcpy(bytes, &p, sizeof p);
    for (unsigned i = 0; i < sizeof p; i++)
        printf("%02x", bytes[i]);
    printf("\n");
    printf("%d\n", p.b = 31);
    printf("%u\n", p.a += 3);
    int before = p.b++, after = --p.j;
    printf("%d %d %d %d\n", before, p.b, after, p.j);
    p.f = 2;
    printf("%d\n", p.f);
    p.a = 7;
    printf("%d %d\n", p.a - 8 < 0, ~p.a < 0);
    p.g = (1ull << 39) + 5;
    printf("%llu\n", (unsigned long long)p.g << 1 >> 1);
    union view v = {.whole = 0xdeadbeef};
    printf("%x %x %x\n", v.low, v.middle, v.high);
    v.middle ^= 0xff;
    printf("%x\n", v.whole);
    struct tagged t = {BLUE, 12345}, copy = t;
    copy.value |= 1u << 27;
    printf("%d %u %u\n", copy.colour == BLUE, t.value, copy.value);
    struct tagged many[3] = {[1] = {GREEN, 7}};
    many[2] = many[1];
    many[2].value *= 3;
    printf("%u %u %u\n", many[0].value, many[1].value, many[2].value);
    int minus = -1;
    printf("%d %d %d\n", minus > t.value, minus > (minus, t.value), minus > ({ t.value; }));
    return 0;
}
