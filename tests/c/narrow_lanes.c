// Loops over numbers of 8 and 16 bits, in lanes that are wider and narrower than C computes with: all
// numbers of iterations, streams at all distances in one object, sums and extremes.
// options: -fno-strict-aliasing
#include <stdio.h>
#include <stdlib.h>

enum { N = 300, MORE = 64 };

typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;

static u8 a[N + MORE], b[N + MORE], c[N + MORE];
static s8 d[N + MORE], e[N + MORE];
static short h[N + MORE], k[N + MORE], l[N + MORE];
static u16 u[N + MORE], v[N + MORE], w[N + MORE];
static int x[N + MORE];
static long y[N + MORE];
static float z[N + MORE];

static unsigned state = 12345;

static unsigned next(void) {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static void fill(void) {
    for (int i = 0; i < N + MORE; i++) {
        a[i] = next(), b[i] = next(), c[i] = next(), d[i] = next(), e[i] = next(), h[i] = next();
        k[i] = next(), l[i] = next(), u[i] = next(), v[i] = next(), w[i] = next();
        x[i] = next() - next(), y[i] = next();
        z[i] = next() % 1000 * 0.25f;
    }
}

static unsigned long sum = 7;

static void add(const void *of, size_t bytes) {
    const u8 *at = of;
    for (size_t i = 0; i < bytes; i++) sum = (sum ^ at[i]) * 1099511628211ul;
}

#define STORES(name, iteration)                                                                     \
    __attribute__((noinline)) static void name(int n, int p) {                                      \
        (void)p;                                                                                    \
        for (int i = 0; i < n; i++) {                                                               \
            iteration                                                                               \
        }                                                                                           \
    }
#define SUMS(type, name, iteration)                                                                 \
    __attribute__((noinline)) static type name(int n) {                                             \
        type t = 0;                                                                                 \
        for (int i = 0; i < n; i++) {                                                               \
            iteration                                                                               \
        }                                                                                           \
        return t;                                                                                   \
    }

STORES(added, c[i] = a[i] + b[i];)
STORES(means, c[i] = (a[i] + b[i] + 1) >> 1;)
STORES(limited, int t = a[i] + b[i]; c[i] = t > 255 ? 255 : t;)
STORES(limited_both, int t = h[i] + k[i]; l[i] = t > 32767 ? 32767 : t < -32768 ? -32768 : t;)
STORES(blended, c[i] = (a[i] * p + b[i] * (255 - p) + 128) >> 8;)
STORES(grey, c[i] = (a[i] * 77 + b[i] * 150 + c[i] * 29) >> 8;)
STORES(scaled, z[i] = a[i] * 0.5f + h[i];)
STORES(fixed, l[i] = (h[i] * k[i]) >> 15;)
STORES(unsigned_means, w[i] = (u[i] * 3u + v[i]) >> 2;)
STORES(less, c[i] = d[i] < e[i];)
STORES(smooth, c[i] = (a[i] + 2 * a[i + 1] + a[i + 2] + 2) >> 2;)
STORES(long_sums, y[i] += x[i];)
STORES(joined, x[i] = a[i] << 8 | b[i];)
STORES(shortened, l[i] = x[i] >> 7;)
STORES(edges, int t = abs(a[i + 1] - a[i]) + abs(b[i + 2] - b[i]); c[i] = t > 255 ? 255 : t;)
STORES(halves, d[i] = (s8)(d[i] >> 1) + (e[i] >> 2);)
STORES(differences, w[i] = u[i] > v[i] ? u[i] - v[i] : 0;)
STORES(ahead, c[i + 1] = c[i + 17] ^ a[i];)
STORES(behind, c[i + 16] = c[i] + 1;)
STORES(masked, c[i] = ~a[i] & b[i];)
STORES(negated, l[i] = -h[i] * 2 - e[i];)
STORES(rotated, w[i] = (u16)(u[i] << 3 | u[i] >> 13);)
STORES(wrapped, u8 t = a[i] * 2; c[i] = t > b[i] ? t / 2 : t;)
STORES(cut, short t = h[i] * 3; x[i] = t + (u16)(u[i] * 5);)
STORES(high_bits, w[i] = (unsigned)x[i] >> 9;)
STORES(between, c[i] = (a[i] >= 'a' && a[i] <= 'z') || b[i] == p;)
SUMS(int, products, t += h[i] * k[i];)
SUMS(int, distance, int by = a[i] - b[i]; t += by < 0 ? -by : by;)
SUMS(long, total, t += x[i];)
SUMS(long, bytes, t += a[i];)
SUMS(long, signed_bytes, t -= 3; t += d[i];)
SUMS(size_t, found, t += a[i] == 'x' || b[i] == ' ';)
SUMS(unsigned, largest, t = u[i] > t ? u[i] : t;)
SUMS(int, least, t = h[i] < t ? h[i] : t;)
SUMS(int, counted, if (d[i] < 0) t++; if (e[i] > 100) t += 2;)

__attribute__((noinline)) static void down(int n) {
    for (int i = n - 1; i >= 0; i--) c[i] = a[i] + b[i];
}

__attribute__((noinline)) static void moved(int n, u8 *to, const u8 *from) {
    for (int i = 0; i < n; i++) to[i] = from[i] + 3;
}

__attribute__((noinline)) static void packed(int n, u8 *to, const u16 *from, int by) {
    for (int i = 0; i < n; i++) to[i] = from[i] >> by;
}

int main(void) {
    for (int n = 0; n < N; n = n < 70 ? n + 1 : n * 2 + 1) {
        fill();
#define STORED(name, in) (name(n, n % 256), add(in, sizeof in))
        STORED(added, c), STORED(means, c), STORED(limited, c), STORED(limited_both, l), STORED(blended, c);
        STORED(grey, c), STORED(scaled, z), STORED(fixed, l), STORED(unsigned_means, w), STORED(less, c);
        STORED(smooth, c), STORED(long_sums, y), STORED(joined, x), STORED(shortened, l), STORED(edges, c);
        STORED(halves, d), STORED(differences, w), STORED(ahead, c), STORED(behind, c), STORED(masked, c);
        STORED(negated, l), STORED(rotated, w), STORED(wrapped, c), STORED(cut, x), STORED(high_bits, w);
        STORED(between, c);
        down(n), add(c, sizeof c);
        for (int by = -20; by <= 20; by++) {
            moved(n, c + 30 + by, c + 30), add(c, sizeof c);
            packed(n / 2, (u8 *)w + 30 + by, w + 15, by & 7), add(w, sizeof w);
        }
        if (n % 16 == 5 || n > 70) {
            printf("%d: %d %d %ld %ld %ld %zu %u %d %d %lx\n", n, products(n), distance(n), total(n),
                   bytes(n), signed_bytes(n), found(n), largest(n), least(n), counted(n), sum);
        }
    }
    return 0;
}
