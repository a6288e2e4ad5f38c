/* Checks for overflow whose operands or results have 128 bits, and those that only ask, on the host and in a
   region: results below zero that are stored without a sign, and products beyond 128 bits, fit nowhere. */
#include <stdio.h>

typedef __int128 wide;
typedef unsigned __int128 unsigned_wide;

enum { NEVER = __builtin_add_overflow_p(2147483647, 1, 0L), ALWAYS = __builtin_mul_overflow_p(1 << 16, 1 << 16, 0) };
_Static_assert(__builtin_sub_overflow_p(3u, 5u, 0u) && !__builtin_sub_overflow_p(3u, 5u, 0), "exact, then cut");

#pragma acc routine seq
static int checks(int seed, int *bits) {
    struct {
        int three : 3;
        unsigned long most : 63;
    } fields = {0};
    unsigned long long top = -1ull - (unsigned)seed;
    wide most = ((wide)1 << 126) - 1 + ((wide)1 << 126), least = -most - 1, stored;
    unsigned_wide all = -(unsigned_wide)1, unsigned_stored;
    int n = 0, evaluated = 0;
    bits[n++] = __builtin_mul_overflow(top, top, &stored);
    bits[n++] = __builtin_mul_overflow(top, top, &unsigned_stored);
    bits[n++] = __builtin_add_overflow(seed, -1 - seed, &unsigned_stored);
    bits[n++] = __builtin_sub_overflow(3ull, 4ull + (unsigned)seed, &unsigned_stored);
    bits[n++] = __builtin_add_overflow(most, 1 + seed, &stored);
    bits[n++] = __builtin_add_overflow(most, 1 + seed, &unsigned_stored);
    bits[n++] = __builtin_sub_overflow(least, least, &bits[63]);
    bits[n++] = __builtin_sub_overflow(all, most, &stored);
    bits[n++] = __builtin_sub_overflow(most, all, &stored);
    bits[n++] = __builtin_mul_overflow(least, -1 - seed, &stored);
    bits[n++] = __builtin_mul_overflow(least, -1 - seed, &unsigned_stored);
    bits[n++] = __builtin_mul_overflow(all, all, &stored);
    bits[n++] = __builtin_mul_overflow(all, (wide)seed, &stored);
    bits[n++] = __builtin_mul_overflow(least, all, &bits[63]);
    bits[n++] = __builtin_add_overflow_p(seed + 3, 0, fields.three);
    bits[n++] = __builtin_add_overflow_p(seed + 3, 1, fields.three);
    bits[n++] = __builtin_sub_overflow_p(seed - 4, 1, fields.three);
    bits[n++] = __builtin_mul_overflow_p(top >> 1, 1, fields.most);
    bits[n++] = __builtin_mul_overflow_p(top, 1, fields.most);
    bits[n++] = __builtin_add_overflow_p(seed + 100, 100, (signed char)0);
    bits[n++] = __builtin_add_overflow_p(seed + 100, 100, evaluated++);
    bits[n++] = evaluated;
    return n;
}

int main(void) {
    int found[64], count = 0;
#pragma acc serial copyout(found) copy(count)
    count = checks(0, found);
    int here[64];
    if (checks(0, here) != count)
        printf("another number\n");
    for (int i = 0; i < count; i++)
        printf("%d%d ", found[i], here[i]);
    printf("%d %d\n", NEVER, ALWAYS);
    return 0;
}
