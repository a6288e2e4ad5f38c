// Sums whose guards are `||`, and sums beside scalars that the same inner loop carries: iterations of a Monte
// Carlo simulation have a seed each. What a sum decides or makes is none.
#include "show.h"
#define N 90

static int a[N], b[N], c[N];

static int static_put(int *to, int at, int value)
{
    to[at] = value;
    return value;
}

static void guards(int n)
{
    int s = 0, t = 1, u = 0, v = 0;
    long w = 0;
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel: reduction + s
        if (a[i] > 50 || a[i] < -4000)
            s += a[i];
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: parallel: reduction + s, reduction + t
        if (a[i] == 3 || a[i] % 3 == 0 || (a[i] > 10 && i % 2))
            s -= i;
        else
            t += 2;
    }
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: parallel: reduction max u, reduction + v
        if (!(a[i] & 1 && a[i] & 2) && (i < 70 || a[i] > 0)) {
            if (a[i] > u)
                u = a[i];
            v++;
        }
    }
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel: reduction + w, private j, private k
        for (int j = -1; j <= 1; j++) // expect: parallel: reduction + w, private k
            for (int k = -1; k <= 1; k++) // expect: parallel: reduction + w
                if (j || k)
                    w += a[(i + j + n) % n] * k;
    printf("%d %d %d %d %ld\n", s, t, u, v, w);
}

static void no_sums(int n)
{
    int s = 0, t = 0, u = 0, last = -1;
    // One way multiplies, one adds.
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: sequential: scalar s
        if (a[i] > 50 || i % 5 == 0)
            s += a[i];
        else
            s *= 3;
    }
    // The guard asks for the sum.
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: sequential: scalar t
        if (t < 3000 || a[i] < 0)
            t += a[i];
    // One way skips the rest.
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: sequential: scalar last
        if (a[i] < 0 || i % 7 == 3) {
            last = i;
            continue;
        }
        b[i] = last;
    }
    // A switch has more ways than two.
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: sequential: scalar u
        switch (a[i] & 3) {
        case 0:
        case 1:
            u += 2;
            break;
        case 2:
            if (a[i] > 0 || i > 40)
                u = u * 2 + 1;
            break;
        default:
            u = i;
        }
    printf("%d %d %d %d\n", s, t, u, last);
    show("b", b, n);
}

static void seeds(int n)
{
    int hits = 0;
    long total = 0;
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: parallel: reduction + hits, reduction + total, private seed, private x, private k
        unsigned seed = (unsigned)a[i];
        for (int k = 0; k < 20; k++) { // expect: sequential: scalar seed
            seed = seed * 1664525u + 1013904223u;
            unsigned x = seed >> 16;
            if (x * x % 5 < 2 || x < 100)
                hits++;
            total += x;
        }
        c[i] = (int)(seed >> 4);
    }
    printf("%d %ld\n", hits, total);
    show("c", c, n);
}

// What an inner loop leaves follows from a sum, by a scalar, by how often it runs, or by memory.
static void followers(int n)
{
    int s = 0, t = 0, u = 0, w = 0;
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: sequential: scan s
        int x = 0, y = 0;
        for (int k = 0; k < 5; k++) { // expect: sequential: scalar x, last y
            y = x + 1;
            x = s & 7;
            s += a[k] + i;
        }
        b[i] = y;
    }
    show("b", b, n);
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: sequential: scan t
        int x = 1;
        for (int k = 0; k < 3 + (t & 3); k++) {
            t += a[i] + k;
            x = x * 3 + 1;
        }
        b[i] = x;
    }
    show("b", b, n);
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: sequential: scan u
        int x = 1;
        for (int k = 0; k < 3; k++) {
            u += a[i] + k;
            static_put(c, k, u);
            x = x * 3 + c[k];
        }
        b[i] = x;
    }
    show("b", b, n);
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: sequential: scan w
        int x = 1;
        for (int k = 0; k < 50; k++) {
            w += a[i] + k;
            if (w & 8)
                break;
            x = x * 3 + 1;
        }
        b[i] = x;
    }
    show("b", b, n);
    printf("%d %d %d %d\n", s, t, u, w);
}

int main(void)
{
    fill(a, N, 71);
    guards(N);
    no_sums(N);
    seeds(N);
    followers(N);
}
