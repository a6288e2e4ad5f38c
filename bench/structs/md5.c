/* MD5 with its rounds in a loop, and xxHash32 over the same bytes. */
#include "../loops/timing.h"
#include <stdint.h>
#include <string.h>
#include <math.h>

static const int shifts[64] = {7, 12, 17, 22, 7, 12, 17, 22, 7, 12, 17, 22, 7, 12, 17, 22, 5, 9, 14, 20, 5, 9,
                               14, 20, 5, 9, 14, 20, 5, 9, 14, 20, 4, 11, 16, 23, 4, 11, 16, 23, 4, 11, 16, 23,
                               4, 11, 16, 23, 6, 10, 15, 21, 6, 10, 15, 21, 6, 10, 15, 21, 6, 10, 15, 21};
static uint32_t sines[64];
uint8_t *bytes;

static inline uint32_t rotl(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

static void md5_block(uint32_t h[4], const uint8_t *p)
{
    uint32_t w[16], a = h[0], b = h[1], c = h[2], d = h[3];
    for (int i = 0; i < 16; i++)
        w[i] = p[4 * i] | p[4 * i + 1] << 8 | p[4 * i + 2] << 16 | (uint32_t)p[4 * i + 3] << 24;
    for (int i = 0; i < 64; i++) {
        uint32_t f;
        int g;
        if (i < 16) {
            f = (b & c) | (~b & d);
            g = i;
        } else if (i < 32) {
            f = (d & b) | (~d & c);
            g = (5 * i + 1) % 16;
        } else if (i < 48) {
            f = b ^ c ^ d;
            g = (3 * i + 5) % 16;
        } else {
            f = c ^ (b | ~d);
            g = 7 * i % 16;
        }
        uint32_t t = d;
        d = c;
        c = b;
        b += rotl(a + f + sines[i] + w[g], shifts[i]);
        a = t;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
}

static uint32_t read32(const void *p)
{
    uint32_t x;
    memcpy(&x, p, 4);
    return x;
}

static uint32_t round32(uint32_t acc, uint32_t input)
{
    return rotl(acc + input * 2246822519u, 13) * 2654435761u;
}

static uint32_t xxh32(const uint8_t *p, size_t length, uint32_t seed)
{
    const uint8_t *end = p + length;
    uint32_t h;
    if (length >= 16) {
        uint32_t v[4] = {seed + 2654435761u + 2246822519u, seed + 2246822519u, seed, seed - 2654435761u};
        do {
            for (int i = 0; i < 4; i++, p += 4)
                v[i] = round32(v[i], read32(p));
        } while (p + 16 <= end);
        h = rotl(v[0], 1) + rotl(v[1], 7) + rotl(v[2], 12) + rotl(v[3], 18);
    } else
        h = seed + 374761393u;
    h += (uint32_t)length;
    for (; p + 4 <= end; p += 4)
        h = rotl(h + read32(p) * 3266489917u, 17) * 668265263u;
    for (; p < end; p++)
        h = rotl(h + *p * 374761393u, 11) * 2654435761u;
    h ^= h >> 15;
    h *= 2246822519u;
    h ^= h >> 13;
    h *= 3266489917u;
    return h ^ h >> 16;
}

void setup(long n)
{
    bytes = array(n, 1);
    for (long i = 0; i < n; i++)
        bytes[i] = i * 131 >> 3;
    for (int i = 0; i < 64; i++)
        sines[i] = (uint32_t)floor(fabs(sin(i + 1)) * 4294967296.0);
}

double kernel(long n)
{
    uint32_t h[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    for (long i = 0; i + 64 <= n; i += 64)
        md5_block(h, bytes + i);
    uint32_t x = 0;
    for (int i = 0; i < 4; i++)
        x += xxh32(bytes + i, n - 2 * i, i);
    return (double)(h[0] ^ h[1] ^ h[2] ^ h[3]) + x;
}
