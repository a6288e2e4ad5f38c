// Quotients and remainders of numbers of 8, 16 and 32 bits by constants, of edges and of random numbers.
#include <limits.h>
#include <stdio.h>

enum { N = 3000 };

#define BY(number) \
    signs[i] += y / number + 3u * (y % number) + 5u * (y / -number) + 7u * (y % -number); \
    plain[i] += u / (number##u) + 3u * (u % (number##u)); \
    small[i] += (short)y / number + 3u * ((unsigned short)u % number) + 5u * ((signed char)y / number) \
                + 7u * ((unsigned char)u % number)

#define ALL \
    BY(1); \
    BY(2); \
    BY(3); \
    BY(5); \
    BY(6); \
    BY(7); \
    BY(10); \
    BY(12); \
    BY(28); \
    BY(64); \
    BY(125); \
    BY(255); \
    BY(641); \
    BY(1000); \
    BY(65535); \
    BY(1000003); \
    BY(0x40000001); \
    BY(0x7fffffff); \
    signs[i] += y / INT_MIN + 3u * (y % INT_MIN) + 5u * (y / -4096) + 7u * (y % -4096); \
    plain[i] += u / 0xffffffffu + 3u * (u % 0xffffffffu) + 5u * (u / 0x80000001u) + 7u * (u % 0x80000001u) \
                + u / 0xfffffffeu + 3u * (u % 0x80000000u)

static int numbers[N];

int main(void)
{
    static unsigned signs[N], plain[N], small[N], expected[3][N];
    unsigned long long random = 1;
    int edges[] = {0, 1, -1, 2, -2, 3, -3, 641, INT_MAX, INT_MIN, INT_MIN + 1, 0x40000000, 0x40000001, 65535, 65536, -65536, 255, -128};
    for (int i = 0; i < N; i++) {
        random = random * 6364136223846793005 + 1442695040888963407;
        numbers[i] = i < 18 ? edges[i] : (int)(random >> 32) >> (i & 31);
        // The quotient of the least number by -1 is not an `int`.
        numbers[i] += numbers[i] == INT_MIN;
    }
    for (int i = 0; i < N; i++) {
        int volatile at = numbers[i];
        int y = at;
        unsigned u = y;
        unsigned *signs = expected[0], *plain = expected[1], *small = expected[2];
        ALL;
    }
#pragma acc parallel loop copyin(numbers) copy(signs, plain, small)
    for (int i = 0; i < N; i++) {
        int y = numbers[i];
        unsigned u = y;
        ALL;
    }
    unsigned sum = 0;
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        wrong += signs[i] != expected[0][i] || plain[i] != expected[1][i] || small[i] != expected[2][i];
        sum = sum * 31 + signs[i] + 7 * plain[i] + 11 * small[i];
    }
    printf("wrong: %d, sum %u\n", wrong, sum);
    return wrong != 0;
}
