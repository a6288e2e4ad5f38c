/* Loops that go down through memory, and loops whose counter is among what they compute. */
#include <stdio.h>

#define KEEP __attribute__((noinline))

enum { N = 53 };

static float x[N], y[N], z[N];
static double u[N], v[N];
static int p[N], q[N];
static long long w[N];

KEEP void downwards(int n)
{
    for (int i = n - 1; i >= 0; i--)
        x[i] = y[i] * z[i] + 1;
    for (int i = n; i-- > 0;)
        u[i] = v[i] - 2;
    for (unsigned i = (unsigned)n; i > 0; i--)
        q[i - 1] = p[i - 1] + 3;
}

/* Called with memory that overlaps. */
KEEP void copies(int *to, const int *from, int n)
{
    for (int i = n - 1; i >= 0; i--)
        to[i] = from[i] + 1;
}

KEEP void apart_by_constants(int *a, int n)
{
    for (int i = n - 1; i >= 4; i--)
        a[i] = a[i - 4] + 1;
    for (int i = n - 2; i >= 0; i--)
        a[i] = (a[i + 1] & 0xffff) * 3;
    for (int i = n - 6; i >= 0; i--)
        a[i] = a[i + 5] + 2;
    for (int i = n - 1; i >= 1; i--)
        a[i] = a[i - 1] - 5;
}

KEEP void counter_up(int n)
{
    for (int i = 0; i < n; i++)
        x[n - 1 - i] = y[n - 1 - i] + 4;
}

KEEP void both_directions(int n)
{
    for (int i = 0; i < n; i++)
        p[i] = q[n - 1 - i];
    for (int i = n - 1; i >= 0; i--)
        x[i] = y[n - 1 - i] + z[i];
}

KEEP int sums(int n)
{
    int sum = 0, most = -1, even = 0;
    for (int i = n - 1; i >= 0; i--) {
        sum += p[i] * (i - 3);
        most = p[i] > most ? p[i] : most;
        even += (p[i] & 1) == 0;
    }
    return sum * 100 + most + even;
}

KEEP float least(int n)
{
    float least = y[n - 1];
    for (int i = n - 2; i >= 0; i--)
        if (y[i] < least)
            least = y[i];
    return least;
}

KEEP void pointers(double *to, double *end)
{
    while (end > to) {
        end--;
        *end = *end * 2;
    }
}

KEEP void counters(int from, int n)
{
    for (int i = from; i < from + n; i++)
        p[i - from] = i;
    for (int i = 0; i < n; i++)
        x[i] = y[i] * (float)(i + 1);
    for (long long i = n - 1; i >= 0; i--)
        w[i] = i * 1 + (i << 3);
    for (int i = n - 1, k = 5; i >= 0; i--, k += 3)
        q[i] = i ^ k;
    for (unsigned i = 0, k = 4294967290u; i < (unsigned)n; i++, k++)
        p[i] ^= (int)k;
}

static unsigned all(void)
{
    unsigned sum = 3;
    for (int i = 0; i < N; i++)
        sum = sum * 31 + (unsigned)(int)(x[i] * 4) + (unsigned)(int)(u[i] * 4) * 3 + (unsigned)p[i] * 5 +
              (unsigned)q[i] * 7 + (unsigned)w[i] * 9;
    return sum;
}

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = (float)(i * 13 % 17) - 5;
        z[i] = (float)(i % 5);
        u[i] = i * 0.5;
        v[i] = i * 3 % 7;
        p[i] = i * 11 % 19;
        q[i] = i * 7 % 23;
        w[i] = i;
    }
}

#define SHOW(...)                               \
    do {                                        \
        fill();                                 \
        __VA_ARGS__;                            \
        printf("%s: %u\n", #__VA_ARGS__, all()); \
    } while (0)

int main(void)
{
    for (int n = 0; n <= N; n += 1 + n / 9) {
        fill();
        downwards(n);
        printf("%d: %u\n", n, all());
    }
    for (int by = -9; by <= 9; by++) {
        fill();
        copies(p + 10 + by, p + 10, N - 20);
        printf("by %d: %u\n", by, all());
    }
    SHOW(apart_by_constants(p, N));
    SHOW(counter_up(N));
    SHOW(both_directions(N));
    SHOW(p[0] = sums(N), p[1] = sums(9), p[2] = sums(0));
    SHOW(x[0] = least(N), x[1] = least(1), x[2] = least(7));
    SHOW(pointers(u, u + N), pointers(u, u));
    SHOW(counters(-20, N));
    SHOW(counters(2147483594, N));
    return 0;
}
