// Anonymous structures and unions: access, initialisation, nesting, addresses.
#include <stddef.h>
#include <stdio.h>

struct colour {
    union {
        struct { unsigned char r, g, b, a; };
        unsigned rgba;
        unsigned char bytes[4];
    };
    struct {
        int id;
        union { float f; int i; };
    };
    enum { SMALL, LARGE } size;
};

int main(void)
{
    struct colour c = {{{1, 2, 3, 4}}, {5, {6.5f}}, LARGE}, d = {.g = 9, .id = 8, .i = 7}, e = {.rgba = 0x01020304};
    printf("%08x %g %d %d\n", c.rgba, c.f, c.id, c.size);
    printf("%08x %d %d %d\n", d.rgba, d.id, d.i, d.size);
    printf("%d %d\n", e.r, e.bytes[3]);
    c.bytes[1] = 200;
    printf("%d\n", c.g);
    unsigned char *p = &c.b;
    *p = 77;
    printf("%zu %zu %08x\n", offsetof(struct colour, i), sizeof c, c.rgba);
    return 0;
}
