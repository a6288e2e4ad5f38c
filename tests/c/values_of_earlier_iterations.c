/* Loops that load what an iteration one to four before has stored, or nearly. */
#include <stdio.h>

#define KEEP __attribute__((noinline))

enum { N = 61 };

static int p[N], q[N], m[9][8];
static float f[N];
static double d[N];
static short s[N];
static unsigned char b[N];
/* Objects of which two bytes of three are stored. */
static struct half {
    unsigned short number;
    char other;
} __attribute__((packed)) h[N];

KEEP void sums(int n)
{
    for (int i = 1; i < n; i++)
        p[i] = p[i - 1] + p[i];
}

KEEP void two_before(int *x, int n)
{
    for (int i = 2; i < n; i++)
        x[i] = x[i - 1] + x[i - 2];
}

/* The one before is not loaded. */
KEEP void only_two_before(int *x, int n)
{
    for (int i = 2; i < n; i++)
        x[i] = (x[i - 2] & 0xffff) * 3 + i;
}

KEEP void four_before(unsigned *x, int n)
{
    for (int i = 5; i < n; i++)
        x[i] = x[i - 1] ^ (x[i - 2] << 1) ^ (x[i - 3] << 2) ^ (x[i - 4] << 3) ^ (x[i - 5] << 4);
}

/* Called with memory that overlaps: nothing is known of what lies between. */
KEEP void beside_another(int *x, int *y, int n)
{
    for (int i = 1; i < n; i++) {
        x[i] = x[i - 1] + 1;
        y[i] = (x[i] & 0xffff) * 2;
    }
}

KEEP void pointers(float *x, float *end)
{
    for (x++; x < end; x++)
        *x = x[-1] * 0.5f + *x;
}

KEEP void down(double *x, int n)
{
    for (int i = n - 2; i >= 0; i--)
        x[i] = x[i] + x[i + 1] * 0.25;
}

/* Steps of two: what is loaded was stored one iteration before. */
KEEP void in_steps(int *x, int n)
{
    for (int i = 2; i < n; i += 2)
        x[i] = x[i - 2] + x[i - 1];
}

KEEP void small(short *x, unsigned char *y, int n)
{
    for (int i = 1; i < n; i++)
        x[i] = x[i - 1] * 3 + x[i];
    for (int i = 1; i < n; i++)
        y[i] = y[i - 1] * 3 + i;
}

/* Stored once more before it is loaded, and beside where it is loaded. */
KEEP void overwritten(int *x, int n)
{
    for (int i = 1; i < n - 1; i++) {
        x[i] = x[i - 1] + 1;
        x[i] ^= i;
        x[i + 1] = x[i] * 5;
    }
    for (int i = 1; i < n; i++) {
        x[i] = x[i - 1] + 1;
        x[i - 1] = 7;
    }
    for (int i = 1; i < n - 1; i++) {
        x[i + 1] = x[i] + 1;
        x[i] = 9;
        x[i + 1] -= x[i];
    }
}

KEEP void matrix(int n)
{
    for (int i = 1; i < n; i++)
        for (int j = 1; j < 8; j++)
            m[i][j] = m[i - 1][j] + m[i][j - 1];
    for (int j = 0; j < 8; j++)
        for (int i = 1; i < n; i++)
            m[i][j] += m[i - 1][j];
}

/* Numbers without a sign that go on behind the largest. */
KEEP void around(int *x, unsigned i, unsigned n)
{
    for (; i != n; i++)
        x[i + 5u] = x[i + 4u] + 2;
}

KEEP void halves(struct half *x, int n)
{
    for (int i = 0; i + 1 < n; i++)
        x[i + 1].number = x[i].number + 1;
}

/* The second load is reached on two ways, and the index of the third depends on the way. */
KEEP void behind_conditions(int *x, int n)
{
    for (int i = 1; i < n; i++) {
        int before = x[i - 1], now = x[i], more = 0;
        if (before > 3 || i > 5)
            more = x[i - 1] + 1;
        if ((before & 1 ? (more += 2, now > 7) : 0) || now > 9)
            more += x[i - (more > 2)];
        x[i] = (before + more) & 255;
    }
}

/* Loops without an iteration touch nothing. */
KEEP void none(int *x, int n)
{
    for (int i = 1; i < n; i++)
        x[i] = x[i - 1];
}

/* Which of two is stored before the next iteration loads it depends on the pointers. */
KEEP void of_two(int *x, int *y, int n)
{
    for (int i = 1; i < n; i++) {
        x[i] = (y[i - 1] & 0xffff) + (x[i - 1] & 0xffff);
        y[i] = x[i] - 3;
    }
}

static unsigned all(void)
{
    unsigned sum = 17;
    for (int i = 0; i < N; i++)
        sum = sum * 31 + (unsigned)p[i] + 7u * (unsigned)q[i] + (unsigned)(int)(f[i] * 64) +
              (unsigned)(int)(d[i] * 64) + (unsigned)s[i] + b[i] + h[i].number;
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 8; j++)
            sum = sum * 31 + (unsigned)m[i][j];
    return sum;
}

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        p[i] = i * 7 % 13;
        q[i] = i * 5 % 11;
        f[i] = (float)(i % 9);
        d[i] = i % 7;
        s[i] = (short)(i * 31);
        b[i] = (unsigned char)(i * 17);
        h[i].number = (unsigned short)(i * 3);
    }
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 8; j++)
            m[i][j] = i * j % 5;
}

#define SHOW(...)                               \
    do {                                        \
        fill();                                 \
        __VA_ARGS__;                            \
        printf("%s: %u\n", #__VA_ARGS__, all()); \
    } while (0)

int main(void)
{
    SHOW(sums(N), sums(0), sums(1));
    SHOW(two_before(p, 40));
    SHOW(only_two_before(p, N));
    SHOW(four_before((unsigned *)q, N));
    SHOW(beside_another(p, q, N));
    SHOW(beside_another(p, p + 1, N - 1));
    SHOW(beside_another(p + 1, p, N - 1));
    SHOW(beside_another(p, p, N));
    SHOW(pointers(f, f + N), pointers(f, f));
    SHOW(down(d, N), down(d, 1));
    SHOW(in_steps(q, N));
    SHOW(small(s, b, N));
    SHOW(overwritten(p, N));
    SHOW(matrix(9));
    SHOW(around(p, -4u, 20), around(q, 3, 3));
    SHOW(halves(h, N));
    SHOW(behind_conditions(p, N));
    SHOW(none(0, 0), none(p, 1), none(q, 9));
    SHOW(of_two(p, q, N));
    SHOW(of_two(p, p + 1, N - 1));
    SHOW(of_two(p + 1, p, N - 1));
    SHOW(of_two(p, p, N));
    return 0;
}
