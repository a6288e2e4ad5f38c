/* LZ77 with hash chains, as in fast compressors: compress, decompress, compare. */
#include "../loops/timing.h"
#include <stdint.h>
#include <string.h>

#define HASH_BITS 14
#define WINDOW 32768
#define MIN_MATCH 4
#define MAX_MATCH 258

uint8_t *input, *packed, *output;
static int32_t head[1 << HASH_BITS], prev[WINDOW];

static unsigned hash4(const uint8_t *p)
{
    uint32_t x = p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
    return x * 2654435761u >> (32 - HASH_BITS);
}

static int match_length(const uint8_t *a, const uint8_t *b, const uint8_t *end)
{
    int n = 0;
    while (b < end && n < MAX_MATCH && *a == *b)
        a++, b++, n++;
    return n;
}

static size_t compress(const uint8_t *in, size_t n, uint8_t *out)
{
    uint8_t *o = out;
    size_t at = 0, literals = 0;
    for (int i = 0; i < 1 << HASH_BITS; i++)
        head[i] = -1;
    while (at < n) {
        int best = 0, distance = 0;
        if (at + MIN_MATCH <= n) {
            unsigned h = hash4(in + at);
            int32_t candidate = head[h];
            int tries = 16;
            while (candidate >= 0 && (int32_t)at - candidate < WINDOW && tries-- > 0) {
                int length = match_length(in + candidate, in + at, in + n);
                if (length > best) {
                    best = length;
                    distance = at - candidate;
                }
                candidate = prev[candidate & (WINDOW - 1)];
            }
            prev[at & (WINDOW - 1)] = head[h];
            head[h] = at;
        }
        if (best >= MIN_MATCH || literals == 255 || at + 1 == n) {
            if (best < MIN_MATCH) {
                best = 0;
                literals++;
                at++;
            }
            *o++ = literals;
            memcpy(o, in + at - literals, literals);
            o += literals;
            *o++ = best > 255 ? 255 : best;
            if (best > 255)
                best = 255;
            *o++ = distance & 255;
            *o++ = distance >> 8;
            at += best;
            literals = 0;
        } else {
            literals++;
            at++;
        }
    }
    return o - out;
}

static size_t decompress(const uint8_t *in, size_t n, uint8_t *out)
{
    const uint8_t *end = in + n;
    uint8_t *o = out;
    while (in < end) {
        int literals = *in++;
        while (literals--)
            *o++ = *in++;
        int length = *in++;
        int distance = in[0] | in[1] << 8;
        in += 2;
        const uint8_t *from = o - distance;
        for (int i = 0; i < length; i++)
            *o++ = *from++;
    }
    return o - out;
}

void setup(long n)
{
    input = array(n + 8, 1);
    packed = array(2 * n + 64, 1);
    output = array(n + 64, 1);
    static const char *words[] = {"the ", "quick ", "brown ", "fox ", "jumps ", "over ", "a ", "lazy ", "dog, ", "and ", "then\n"};
    uint32_t seed = 12345;
    long i = 0;
    while (i < n) {
        seed = seed * 1664525 + 1013904223;
        const char *w = words[(seed >> 20) % 11];
        while (*w && i < n)
            input[i++] = *w++;
        if (seed >> 28 == 3 && i < n)
            input[i++] = 'a' + (seed >> 8) % 26;
    }
}

double kernel(long n)
{
    size_t m = compress(input, n, packed);
    size_t back = decompress(packed, m, output);
    return back == (size_t)n && !memcmp(input, output, n) ? (double)m : -1;
}
