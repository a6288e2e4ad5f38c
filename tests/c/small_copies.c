/* `memcpy` and `memset` of a few bytes: numbers at any address, members, whole objects, results. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t read32(const void *p)
{
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

static uint64_t read64(const unsigned char *p)
{
    uint64_t x;
    memcpy(&x, p, 8);
    return x;
}

static float as_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static double scale(double x, int by)
{
    uint64_t bits;
    memcpy(&bits, &x, 8);
    bits += (uint64_t)by << 52;
    memcpy(&x, &bits, 8);
    return x;
}

struct point {
    short x, y;
    int z;
};

struct wide {
    struct point a, b[3];
    char name[5];
};

static unsigned sum(struct wide w)
{
    unsigned total = w.a.x + w.a.y + w.a.z;
    for (int i = 0; i < 3; i++)
        total = total * 3 + w.b[i].x - w.b[i].y + w.b[i].z;
    return total * 7 + w.name[4];
}

static void write_back(unsigned char *to, uint32_t x)
{
    memcpy(to, &x, 3);
}

int main(void)
{
    unsigned char bytes[300];
    for (int i = 0; i < 300; i++)
        bytes[i] = i * 37 + 11;
    uint64_t mixed = 0;
    for (int i = 0; i < 40; i++)
        mixed = mixed * 31 + read32(bytes + i) + read64(bytes + 2 * i);
    printf("%llx\n", (unsigned long long)mixed);
    printf("%g %g %g\n", as_float(0x40490fdb), as_float(0xc0000000), scale(1.5, 4));

    struct wide w, v;
    memset(&w, 0, sizeof w);
    printf("%u\n", sum(w));
    memset(&w, -1, sizeof w);
    printf("%u\n", sum(w));
    memcpy(&w.b[1], bytes + 3, sizeof w.b[1]);
    memcpy(w.name, "name", 5);
    memcpy(&v, &w, sizeof v);
    memcpy(&v.a, &v.b[1], sizeof v.a);
    printf("%u %u %s\n", sum(w), sum(v), v.name);

    unsigned char out[300];
    memset(out, 0x15a, 300);
    write_back(out + 1, 0x030201);
    unsigned char *end = (unsigned char *)memcpy(out + 5, bytes, 250) + 250;
    memset(end, 7, 3);
    unsigned check = 0;
    for (int i = 0; i < 300; i++)
        check = check * 17 + out[i];
    printf("%u %d\n", check, (int)(end - out));

    /* Nothing is copied; one byte; an array through itself. */
    memcpy(out, bytes, 0);
    memcpy(out, bytes + 9, 1);
    memmove(out + 1, out, 8);
    memmove(out + 20, out + 16, 16);
    for (int i = 0; i < 40; i++)
        check = check * 17 + out[i];
    printf("%u\n", check);
    return 0;
}
