// Shifts: widths, promotions, arithmetic right shift, variable counts, masks, rotates, compound forms.
#include <stdint.h>
#include <stdio.h>

static uint32_t rotate(uint32_t x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }
static uint64_t rotate64(uint64_t x, unsigned n) { return x << n | x >> (64 - n); }
static uint8_t rotate8(uint8_t x, int n) { return x << n | x >> (8 - n); }

int main(void)
{
    int one = 1, minus = -17;
    unsigned u = 0x80000000;
    long long wide = -1;
    for (int i = 0; i < 32; i += 7)
        printf("%x %x %d\n", 1u << i, u >> i, minus >> i);
    for (int i = 0; i < 64; i += 21)
        printf("%llx %llx\n", 1ull << i, (unsigned long long)wide >> i);
    printf("%x %x\n", rotate(0x12345678, 8), rotate(0x12345678, 0));
    printf("%llx %x\n", (unsigned long long)rotate64(0x123456789abcdef0, 20), rotate8(0x96, 3));
    short s = -32768;
    unsigned short us = 65535;
    unsigned char c = 255;
    printf("%d %d %d\n", s >> 15, us << 4, c << 8);
    s >>= 3;
    us <<= 9;
    c >>= one;
    printf("%d %d %d\n", s, us, c);
    printf("%d\n", (int)sizeof(c << 1ll));
    printf("%ld %lu\n", -1L >> 63, -1UL >> 63);
    u = 5;
    u <<= u;
    printf("%u\n", u);
    printf("%d\n", 1 << 2 << 3 >> 1);
    wide = 1;
    wide <<= 40;
    printf("%lld\n", wide | one << 4);
    return 0;
}
