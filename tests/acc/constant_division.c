// Quotients and remainders of 64-bit numbers by constants that are no powers of two, of edges and of random numbers.
#include <limits.h>
#include <stdio.h>

enum { N = 4000 };

#define BY(number) \
    signs[i] += y / number + 3ull * (y % number) + 5ull * (y / -number) + 7ull * (y % -number); \
    plain[i] += u / (number##ull) + 3ull * (u % (number##ull))

#define ALL \
    BY(3); \
    BY(6); \
    BY(7); \
    BY(10); \
    BY(641); \
    BY(1000000007); \
    BY(4294967291); \
    BY(0x7fffffffffffffff); \
    BY(0x4000000000000001); \
    signs[i] += y / -2 + 3ull * (y % -2) + 5ull * (y / -4096) + 7ull * (y % -4096); \
    plain[i] += u / 0xffffffffffffffff + 3 * (u % 0xffffffffffffffff) + 5 * (u / 0x8000000000000001) + 7 * (u % 0x8000000000000001)

static long long numbers[N];

int main(void)
{
    static unsigned long long signs[N], plain[N], expected[2][N];
    unsigned long long random = 1;
    long long edges[] = {0, 1, -1, 2, 3, -3, 641, LLONG_MAX, LLONG_MIN, LLONG_MIN + 1, 4294967290, 4294967291, 0x4000000000000001};
    for (int i = 0; i < N; i++) {
        random = random * 6364136223846793005 + 1442695040888963407;
        numbers[i] = i < 13 ? edges[i] : (long long)random >> (i & 63);
    }
    for (int i = 0; i < N; i++) {
        long long volatile at = numbers[i];
        long long y = at;
        unsigned long long u = y;
        unsigned long long *signs = expected[0], *plain = expected[1];
        ALL;
    }
#pragma acc parallel loop copyin(numbers) copy(signs, plain)
    for (int i = 0; i < N; i++) {
        long long y = numbers[i];
        unsigned long long u = y;
        ALL;
    }
    unsigned long long sum = 0;
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        wrong += signs[i] != expected[0][i] || plain[i] != expected[1][i];
        sum = sum * 31 + signs[i] + 7 * plain[i];
    }
    printf("wrong: %d, sum %llu\n", wrong, sum);
    return wrong != 0;
}
