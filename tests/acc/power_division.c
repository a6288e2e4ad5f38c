// Quotients and remainders by powers of two, of edges and of random numbers, with and without a sign.
#include <limits.h>
#include <stdio.h>

enum { N = 4000 };

#define BY(power) \
    results[0][i] += x / power + 3ull * (x % power); \
    results[1][i] += y / power + 3ull * (y % power); \
    results[2][i] += (unsigned)x / (power##u) + 3ull * ((unsigned)x % (power##u)); \
    results[3][i] += (unsigned long long)y / (power##ull) + 3ull * ((unsigned long long)y % (power##ull))

#define ALL \
    BY(1); \
    BY(2); \
    BY(4); \
    BY(4096); \
    BY(0x40000000); \
    results[0][i] += x / INT_MIN + x % INT_MIN + x / -8 + 5ull * (x % -8); \
    results[1][i] += y / LLONG_MIN + y % LLONG_MIN + y / -8 + 5ull * (y % -8) + y / 0x100000000 + 7ull * (y % 0x100000000); \
    results[1][i] += y / 0x4000000000000000 + 9ull * (y % 0x4000000000000000); \
    results[3][i] += (unsigned long long)y / 0x8000000000000000 + (unsigned long long)y % 0x8000000000000000; \
    results[4][i] += s / 2 + 3ull * (s % 2) + s / 64 + 5ull * (s % 64) + c / 2 + 7ull * (c % 2) + c / 16 + 9ull * (c % 16)

static unsigned long long results[5][N], expected[5][N];

int main(void)
{
    static int a[N];
    static long long b[N];
    unsigned long long state = 88172645463325252ull;
    for (int i = 0; i < N; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        int near = i % 7 - 3;
        a[i] = i < 500 ? (int)((1u << i % 32) + (unsigned)near) : (int)(state >> 32);
        b[i] = i < 900 ? (long long)((1ull << i % 64) + (unsigned long long)near) : (long long)state;
    }
#pragma acc parallel loop copyin(a, b) copy(results)
    for (int i = 0; i < N; i++) {
        int x = a[i];
        long long y = b[i];
        short s = (short)x;
        signed char c = (signed char)x;
        ALL;
    }
    unsigned long long (*device)[N] = results;
    int wrong = 0;
    {
#define results expected
        for (int i = 0; i < N; i++) {
            int x = a[i];
            long long y = b[i];
            short s = (short)x;
            signed char c = (signed char)x;
            ALL;
        }
#undef results
    }
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < N; i++)
            if (device[k][i] != expected[k][i] && wrong++ < 5)
                printf("%d, %d: %llx instead of %llx\n", k, i, device[k][i], expected[k][i]);
    return wrong != 0;
}
