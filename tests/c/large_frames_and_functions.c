// Many locals, many parameters, large frames, deep expressions, long chains of else.
#include <stdio.h>

static long many(int a, long b, char c, short d, float e, double f, int g, int h, int i, int j, double k, double l,
                 double m, double n, double o, double p, double q, float r, char s, unsigned char t)
{
    return a + b * 2 + c * 3 + d * 4 + (long)e * 5 + (long)f * 6 + g * 7 + h * 8 + i * 9 + j * 10 + (long)k * 11
        + (long)l * 12 + (long)m * 13 + (long)n * 14 + (long)o * 15 + (long)p * 16 + (long)q * 17 + (long)r * 18 + s * 19
        + t * 20;
}

static int frame(int n)
{
    int local[20000];
    char more[50000];
    for (int i = 0; i < 20000; i++)
        local[i] = i ^ n;
    more[49999] = n;
    return local[19999] + more[49999];
}

static int chain(int x)
{
    if (x == 0) return 5; else if (x == 1) return 3; else if (x == 2) return 8; else if (x == 3) return 1;
    else if (x == 4) return 9; else if (x == 5) return 2; else if (x < 10) return x; else return -1;
}

#define X4(e) e + e + e + e
#define X16(e) X4(e) + X4(e) + X4(e) + X4(e)
#define X256(e) X16(X16(e))

int main(void)
{
    int v = 3;
    printf("%ld\n", many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, -19, 200));
    printf("%d\n", frame(7));
    for (int i = 0; i < 12; i += 3)
        printf("%d ", chain(i));
    printf("\n%d\n", X256(v));
    printf("%d\n", ((((((((((((((((v + 1) * 2) - 3) ^ 4) | 5) & 0xff) << 1) >> 1) % 100) + (v ? (v > 2 ? (v < 4 ? 1 : 2) : 3) : 4)))))))));
    int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12, m = 13, n = 14, o = 15, p = 16;
    for (int round = 0; round < 10; round++) {
        a += b; b ^= c; c += d; d ^= e; e += f; f ^= g; g += h; h ^= i;
        i += j; j ^= k; k += l; l ^= m; m += n; n ^= o; o += p; p ^= a;
    }
    printf("%d %d %d %d\n", a ^ b ^ c ^ d, e ^ f ^ g ^ h, i ^ j ^ k ^ l, m ^ n ^ o ^ p);
    double x1 = 1, x2 = 2, x3 = 3, x4 = 4, x5 = 5, x6 = 6, x7 = 7, x8 = 8, x9 = 9, x10 = 10;
    double sum = (x1 + x2) * (x3 + x4) * (x5 + x6) * (x7 + x8) * (x9 + x10) + (x1 - x10) * (x2 - x9) * (x3 - x8);
    printf("%g\n", sum);
    return 0;
}
