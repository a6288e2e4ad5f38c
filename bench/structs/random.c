/* Generators of random numbers: Mersenne twister, xorshift128+, PCG, xoshiro; what they draw: pi, shuffles, normals. */
#include "../loops/timing.h"
#include <stdint.h>
#include <math.h>

#define N 624
#define M 397

struct mt {
    uint32_t state[N];
    int index;
};

static void mt_seed(struct mt *g, uint32_t seed)
{
    g->state[0] = seed;
    for (int i = 1; i < N; i++)
        g->state[i] = 1812433253u * (g->state[i - 1] ^ g->state[i - 1] >> 30) + i;
    g->index = N;
}

static uint32_t mt_next(struct mt *g)
{
    static const uint32_t mag[2] = {0, 0x9908b0dfu};
    if (g->index >= N) {
        int k;
        uint32_t y;
        for (k = 0; k < N - M; k++) {
            y = (g->state[k] & 0x80000000u) | (g->state[k + 1] & 0x7fffffffu);
            g->state[k] = g->state[k + M] ^ (y >> 1) ^ mag[y & 1];
        }
        for (; k < N - 1; k++) {
            y = (g->state[k] & 0x80000000u) | (g->state[k + 1] & 0x7fffffffu);
            g->state[k] = g->state[k + (M - N)] ^ (y >> 1) ^ mag[y & 1];
        }
        y = (g->state[N - 1] & 0x80000000u) | (g->state[0] & 0x7fffffffu);
        g->state[N - 1] = g->state[M - 1] ^ (y >> 1) ^ mag[y & 1];
        g->index = 0;
    }
    uint32_t y = g->state[g->index++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

typedef struct {
    uint64_t state, inc;
} pcg32;

static uint32_t pcg_next(pcg32 *r)
{
    uint64_t old = r->state;
    r->state = old * 6364136223846793005ull + (r->inc | 1);
    uint32_t xorshifted = ((old >> 18) ^ old) >> 27;
    uint32_t rot = old >> 59;
    return (xorshifted >> rot) | (xorshifted << ((-rot) & 31));
}

static uint64_t xo[4], xp[2];

static inline uint64_t rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static uint64_t xoshiro(void)
{
    uint64_t result = rotl(xo[1] * 5, 7) * 9, t = xo[1] << 17;
    xo[2] ^= xo[0];
    xo[3] ^= xo[1];
    xo[1] ^= xo[2];
    xo[0] ^= xo[3];
    xo[2] ^= t;
    xo[3] = rotl(xo[3], 45);
    return result;
}

static uint64_t xorshift128plus(void)
{
    uint64_t x = xp[0], y = xp[1];
    xp[0] = y;
    x ^= x << 23;
    xp[1] = x ^ y ^ (x >> 17) ^ (y >> 26);
    return xp[1] + y;
}

static double uniform(uint64_t x)
{
    return (x >> 11) * (1.0 / 9007199254740992.0);
}

int *cards;

void setup(long n)
{
    cards = array(n, sizeof *cards);
}

double kernel(long n)
{
    struct mt g;
    pcg32 p = {42, 54};
    xo[0] = 1, xo[1] = 2, xo[2] = 3, xo[3] = 4;
    xp[0] = 5, xp[1] = 6;
    mt_seed(&g, 5489);
    uint32_t sum = 0;
    for (long i = 0; i < n * 4; i++)
        sum = sum * 3 + mt_next(&g);
    long hits = 0;
    for (long i = 0; i < n * 2; i++) {
        double x = uniform(xoshiro()), y = uniform(xoshiro());
        if (x * x + y * y < 1)
            hits++;
    }
    for (long i = 0; i < n; i++)
        cards[i] = i;
    for (long i = n - 1; i > 0; i--) {
        long j = pcg_next(&p) % (i + 1);
        int t = cards[i];
        cards[i] = cards[j];
        cards[j] = t;
    }
    for (long i = 0; i < n; i++)
        sum = sum * 31 + cards[i];
    double normal = 0;
    for (long i = 0; i < n / 2;) {
        double u = 2 * uniform(xorshift128plus()) - 1, v = 2 * uniform(xorshift128plus()) - 1, s = u * u + v * v;
        if (s >= 1 || s == 0)
            continue;
        normal += u * sqrt(-2 * log(s) / s);
        i++;
    }
    return (double)sum + hits * 7 + floor(normal * 1000);
}
