// Loops that accumulate under a condition, in types and by operators that vectors have and have not.
#include <stdio.h>

enum { N = 103 };

#define ACCUMULATE(name, type, first, change)                                                      \
    static type name(const type *items, int n)                                                     \
    {                                                                                              \
        type s = first;                                                                            \
        for (int i = 0; i < n; i++)                                                                \
            if ((items[i] & 3) == 1)                                                               \
                change;                                                                            \
        return s;                                                                                  \
    }

#define EXTREMA(type, letter)                                                                      \
    ACCUMULATE(most_##letter, type, 0, s = items[i] > s ? items[i] : s)                            \
    ACCUMULATE(least_##letter, type, 100, if (items[i] < s) s = items[i])                          \
    ACCUMULATE(last_##letter, type, 9, s = items[i])                                               \
    static void extrema_##letter(const char *format)                                               \
    {                                                                                              \
        FILL(type);                                                                                \
        for (int n = N - 9; n <= N; n += 9)                                                        \
            printf(format, most_##letter(items, n), least_##letter(items, n), last_##letter(items, n)); \
    }

#define SUMS(type, letter)                                                                         \
    ACCUMULATE(sum_##letter, type, 7, s += items[i])                                               \
    ACCUMULATE(product_##letter, type, 3, s *= items[i] | 2)                                       \
    ACCUMULATE(both_##letter, type, 5, s ^= items[i])                                              \
    static void sums_##letter(const char *format)                                                  \
    {                                                                                              \
        FILL(type);                                                                                \
        for (int n = N - 9; n <= N; n += 9)                                                        \
            printf(format, sum_##letter(items, n), product_##letter(items, n), both_##letter(items, n)); \
    }

#define FILL(type)                                                                                 \
    type items[N];                                                                                 \
    unsigned state = 1;                                                                            \
    for (int i = 0; i < N; i++) {                                                                  \
        state = state * 1664525u + 1013904223u;                                                    \
        items[i] = (type)(((unsigned long)state << 31) ^ state);                                   \
    }

EXTREMA(int, int)
EXTREMA(unsigned, unsigned)
EXTREMA(long, long)
EXTREMA(unsigned long, wide)
SUMS(unsigned, unsigned)
SUMS(unsigned long, wide)

int main(void)
{
    extrema_int("%d %d %d\n");
    extrema_unsigned("%u %u %u\n");
    extrema_long("%ld %ld %ld\n");
    extrema_wide("%lu %lu %lu\n");
    sums_unsigned("%u %u %u\n");
    sums_wide("%lu %lu %lu\n");
}
