// Rotations by amounts that vary, as they are written: those of no bits among them, and what is none.
#include <stdio.h>

#define NEVER_INLINE __attribute__((noinline)) static

NEVER_INLINE unsigned right(unsigned x, unsigned by) { return x >> by | x << (-by & 31); }
NEVER_INLINE unsigned left(unsigned x, int by) { return x << (by & 31) | x >> ((32 - by) & 31); }
NEVER_INLINE unsigned long right_long(unsigned long x, unsigned char by) {
    return x << (64 - by) | x >> by;
}
NEVER_INLINE unsigned long left_long(unsigned long x, long by) {
    return x << (by & 63) | x >> (-by & 63);
}
NEVER_INLINE unsigned other(unsigned x, unsigned by) { return x >> by | x << (-by & 15); }
NEVER_INLINE unsigned two(unsigned x, unsigned y, unsigned by) { return x >> by | y << (-by & 31); }
NEVER_INLINE int of_sign(int x, unsigned by) { return x >> by | x << (-by & 31); }
NEVER_INLINE unsigned both(unsigned x, unsigned by) { return x >> by ^ x << (-by & 31); }

int main(void) {
    unsigned long state = 42, sum = 0;
    for (int n = 0; n < 1000; n++) {
        state = state * 6364136223846793005ul + 1442695040888963407ul;
        unsigned x = state >> 18 ^ state >> 27, by = state >> 59;
        sum = sum * 31 + right(x, by) + left(x, (int)by);
        sum = sum * 31 + right_long(state, by + 1) + left_long(state, by * 2);
        sum = sum * 31 + other(x, by) + two(x, x + 1, by) + (unsigned)of_sign((int)x, by) + both(x, by);
    }
    printf("%lu %u %u %lx %lx\n", sum, right(5, 0), left(5, 0), right_long(5, 64 - 1), left_long(5, 0));
    return 0;
}
