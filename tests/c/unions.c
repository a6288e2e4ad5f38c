// Unions: type punning, initialisation of other members, anonymous ones inside structures, passing by value.
#include <stdint.h>
#include <stdio.h>

union number {
    uint32_t bits;
    float real;
    unsigned char bytes[4];
};

struct value {
    enum { INTEGER, REAL, TEXT } kind;
    union {
        long integer;
        double real;
        struct {
            const char *text;
            int length;
        };
    };
};

static union number negate(union number n)
{
    n.bits ^= 0x80000000u;
    return n;
}

static void show(struct value v)
{
    switch (v.kind) {
    case INTEGER: printf("integer %ld\n", v.integer); break;
    case REAL: printf("real %g\n", v.real); break;
    case TEXT: printf("text %.*s\n", v.length, v.text); break;
    }
}

static const struct value constants[] = {{INTEGER, {42}}, {REAL, .real = 2.5}, {TEXT, .text = "hello world", .length = 5}};

int main(void)
{
    union number n = {.real = 1.5f};
    printf("%08x %02x%02x%02x%02x\n", n.bits, n.bytes[3], n.bytes[2], n.bytes[1], n.bytes[0]);
    printf("%g\n", negate(n).real);
    n.bytes[3] = 0x40;
    printf("%g\n", n.real);
    for (unsigned i = 0; i < sizeof constants / sizeof *constants; i++)
        show(constants[i]);
    show((struct value){REAL, {.real = -0.5}});
    union {
        char small;
        long long large;
        struct { short a, b; } pair;
    } u = {.pair = {1, 2}};
    printf("%zu %llx\n", sizeof u, u.large & 0xffffffff);
    u.small = 5;
    printf("%d %d\n", u.pair.a, u.pair.b);
    return 0;
}
