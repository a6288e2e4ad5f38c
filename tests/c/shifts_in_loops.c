/* Shifts by one amount, and conversions of integers, of all elements of arrays of an odd length. */
#include <limits.h>
#include <stdio.h>

enum { N = 37 };

#define SHIFTS(type, name)                                                                 \
    __attribute__((noinline)) void left_##name(type *restrict to, const type *x, int by)   \
    {                                                                                      \
        for (int i = 0; i < N; i++)                                                        \
            to[i] = x[i] << by;                                                            \
    }                                                                                      \
    __attribute__((noinline)) void right_##name(type *restrict to, const type *x, int by)  \
    {                                                                                      \
        for (int i = 0; i < N; i++)                                                        \
            to[i] = x[i] >> by;                                                            \
    }                                                                                      \
    __attribute__((noinline)) void mixed_##name(type *restrict to, const type *x)          \
    {                                                                                      \
        for (int i = 0; i < N; i++) {                                                      \
            type y = x[i];                                                                 \
            y ^= y << 7;                                                                   \
            y ^= y >> 9;                                                                   \
            to[i] = (y ^ (y << 8)) + (y >> (sizeof(type) * 8 - 1));                        \
        }                                                                                  \
    }                                                                                      \
    __attribute__((noinline)) void own_##name(type *restrict to, const type *x)            \
    {                                                                                      \
        for (int i = 0; i < N; i++)                                                        \
            to[i] = x[i] >> (i & 15);                                                      \
    }                                                                                      \
    static unsigned long long all_##name(int by)                                           \
    {                                                                                      \
        type x[N], y[N], z[N], v[N], w[N];                                                 \
        unsigned long long sum = 0, seed = 88172645463325252u;                             \
        for (int i = 0; i < N; i++) {                                                      \
            seed = seed * 6364136223846793005u + 1442695040888963407u;                     \
            x[i] = (type)(seed >> 7);                                                      \
        }                                                                                  \
        left_##name(y, x, by), right_##name(z, x, by);                                     \
        mixed_##name(v, x), own_##name(w, x);                                              \
        for (int i = 0; i < N; i++)                                                        \
            sum = sum * 31 + (unsigned long long)y[i] * 3 + (unsigned long long)z[i] +     \
                  (unsigned long long)v[i] * 7 + (unsigned long long)w[i] * 11;            \
        return sum;                                                                        \
    }

SHIFTS(int, int)
SHIFTS(unsigned, unsigned)
SHIFTS(long, long)
SHIFTS(unsigned long, unsigned_long)
SHIFTS(short, short)
SHIFTS(unsigned char, char)

__attribute__((noinline)) void scale(float *restrict to, const int *x, const unsigned *y, float by)
{
    for (int i = 0; i < N; i++)
        to[i] = (float)x[i] * by;
    for (int i = 0; i < N; i++)
        to[i] += (float)y[i] * by;
    for (int i = 0; i < N; i++)
        to[i] += (float)i;
    for (int i = 0; i < N; i++)
        to[i] += (float)(x[i] >> 3);
}

int main(void)
{
    for (int by = 0; by < 32; by++)
        printf("%llx %llx\n", all_int(by), all_unsigned(by));
    for (int by = 0; by < 64; by++)
        printf("%llx %llx\n", all_long(by), all_unsigned_long(by));
    for (int by = 0; by < 8; by++)
        printf("%llx %llx\n", all_short(by), all_char(by));
    int x[N];
    unsigned y[N];
    float to[N];
    for (int i = 0; i < N; i++) {
        x[i] = i % 5 == 0 ? INT_MIN + i : i % 5 == 1 ? INT_MAX - i * i : (i - 18) * 16777217;
        y[i] = (unsigned)x[i] * 3;
    }
    scale(to, x, y, 0.5f);
    for (int i = 0; i < N; i++)
        printf("%a\n", to[i]);
    return 0;
}
