// Division and remainder: signs, extremes, unsigned, by powers of two and other constants, all widths.
#include <limits.h>
#include <stdio.h>

static int sd(int a, int b) { return a / b; }
static int sr(int a, int b) { return a % b; }

int main(void)
{
    static const int values[] = {INT_MIN, -1000000007, -8, -7, -1, 0, 1, 7, 8, 1000000007, INT_MAX};
    static const int divisors[] = {INT_MIN, -10, -3, -1, 1, 2, 3, 7, 10, 16, INT_MAX};
    unsigned check = 0;
    for (int i = 0; i < 11; i++) {
        int v = values[i];
        for (int j = 0; j < 11; j++) {
            if (v == INT_MIN && divisors[j] == -1)
                continue;
            check = check * 31 + sd(v, divisors[j]);
            check = check * 31 + sr(v, divisors[j]);
        }
        printf("%d %d %d %d %d %d %d %d\n", v / 2, v % 2, v / -3, v % -3, v / 10, v % 10, v / 1024, v % 1024);
        unsigned u = v;
        printf("%u %u %u %u\n", u / 7, u % 7, u / 0x80000001u, u % 641);
    }
    printf("%u\n", check);
    long long l = LLONG_MIN;
    printf("%lld %lld %llu\n", l / 10, l % 1000, (unsigned long long)l / 3);
    signed char c = -128;
    printf("%d %d\n", c / -1, c % 7);
    short s = -32768;
    s /= 5;
    printf("%d\n", s);
    unsigned char uc = 250;
    uc %= 7;
    printf("%d\n", uc);
    return 0;
}
