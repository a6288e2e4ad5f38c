// options: -std=c23
// also: -O0
// <stdbit.h> on the host and in a region: all functions on values of every type against loops over bits.
#include <stdbit.h>
#include <stdio.h>

#define FUNCTIONS(F, x) \
    F(stdc_leading_zeros, x) F(stdc_leading_ones, x) F(stdc_trailing_zeros, x) F(stdc_trailing_ones, x) \
    F(stdc_first_leading_zero, x) F(stdc_first_leading_one, x) F(stdc_first_trailing_zero, x) \
    F(stdc_first_trailing_one, x) F(stdc_count_zeros, x) F(stdc_count_ones, x) F(stdc_has_single_bit, x) \
    F(stdc_bit_width, x) F(stdc_bit_floor, x) F(stdc_bit_ceil, x)
#define SUM(function, x) sum = sum * 31 + function(x);

#pragma acc routine seq
static unsigned long long all(unsigned long long value) {
    unsigned long long sum = 0;
    unsigned char c = value;
    unsigned short s = value;
    unsigned i = value;
    unsigned long l = value;
    FUNCTIONS(SUM, c)
    FUNCTIONS(SUM, s)
    FUNCTIONS(SUM, i)
    FUNCTIONS(SUM, l)
    FUNCTIONS(SUM, value)
    return sum;
}

// The same of a number of `width` bits, bit by bit.
static unsigned long long slow(unsigned long long sum, unsigned long long value, unsigned width) {
    unsigned lead[2] = {}, trail[2] = {}, ones = 0;
    for (unsigned bit = 0; bit < width; bit++)
        ones += value >> bit & 1;
    for (unsigned want = 0; want < 2; want++) {
        while (lead[want] < width && (value >> (width - 1 - lead[want]) & 1) == want)
            lead[want]++;
        while (trail[want] < width && (value >> trail[want] & 1) == want)
            trail[want]++;
    }
    unsigned long long floor = ones ? 1ull << (width - 1 - lead[0]) : 0, ceil = 1;
    while (ceil < value && ceil << 1 >> 1 == ceil)
        ceil <<= 1;
    if (width < 64)
        ceil &= (1ull << width) - 1;
    unsigned long long results[] = {
        lead[0], lead[1], trail[0], trail[1],
        lead[1] == width ? 0 : lead[1] + 1, lead[0] == width ? 0 : lead[0] + 1,
        trail[1] == width ? 0 : trail[1] + 1, trail[0] == width ? 0 : trail[0] + 1,
        width - ones, ones, ones == 1, width - lead[0], floor, ceil,
    };
    for (unsigned i = 0; i < sizeof results / sizeof *results; i++)
        sum = sum * 31 + results[i];
    return sum;
}

int main() {
    enum { COUNT = 300 };
    unsigned long long values[COUNT], sums[COUNT];
    for (int i = 0; i < COUNT; i++) {
        unsigned long long value = 0x9e3779b97f4a7c15ull * i >> i % 60;
        values[i] = i < 64 ? 1ull << i : i < 128 ? -(1ull << (i - 64)) : i < 192 ? (2ull << (i - 128)) - 1 : value;
    }
    // The next power of two of what has a higher bit fits no type: C leaves it open.
    for (int i = 0; i < COUNT; i++)
        values[i] &= ~0ull >> 1;
#pragma acc parallel loop copyin(values) copyout(sums)
    for (int i = 0; i < COUNT; i++)
        sums[i] = all(values[i]);
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        unsigned long long sum = 0, value = values[i];
        sum = slow(sum, value & 0xff, 8);
        sum = slow(sum, value & 0xffff, 16);
        sum = slow(sum, value & 0xffffffff, 32);
        sum = slow(slow(sum, value, 64), value, 64);
        wrong += sums[i] != sum || all(value) != sum;
    }
    printf("%d wrong\n", wrong);
}
