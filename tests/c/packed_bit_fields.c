// Bit-fields of packed structs: no integer of memory covers them, or only one that reaches past the struct.
#include <stdio.h>
#include <string.h>

struct three {
    unsigned value : 20;
    signed rest : 4;
} __attribute__((packed));

struct five {
    unsigned low : 7;
    signed middle : 31;
    unsigned high : 2;
} __attribute__((packed));

struct nine {
    unsigned char first : 4;
    unsigned long long wide : 64;
    unsigned char last : 4;
} __attribute__((packed));

static struct five table[2] = {{1, -2, 3}, {100, 1 << 29, 1}};

static void dump(const void *object, size_t size)
{
    for (size_t i = 0; i < size; i++)
        printf("%02x", ((const unsigned char *)object)[i]);
    printf("\n");
}

int main(void)
{
    struct {
        struct three inner;
        unsigned char guard;
    } t = {{0x12345, -3}, 0xee};
    volatile struct nine n = {5, 0x0123456789abcdefull, 10};
    struct five local = {127, -1, 0};

    printf("%zu %zu %zu\n", sizeof(struct three), sizeof(struct five), sizeof(struct nine));
    printf("%x %d %x\n", t.inner.value, t.inner.rest, t.guard);
    t.inner.value += 0xfffff;
    t.inner.rest--;
    printf("%x %d %x\n", t.inner.value, t.inner.rest, t.guard);
    for (int i = 0; i < 2; i++) {
        printf("%u %d %u\n", table[i].low, table[i].middle, table[i].high);
        table[i].middle = -table[i].middle;
        table[i].high++;
    }
    dump(table, sizeof table);
    local.middle <<= 5;
    dump(&local, sizeof local);
    n.wide = ~n.wide;
    n.last ^= 6;
    printf("%d %llx %d\n", n.first, (unsigned long long)n.wide, n.last);
    return 0;
}
