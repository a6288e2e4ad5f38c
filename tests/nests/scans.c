// Running sums, products and extrema that each iteration stores: parts are added up first, then each part goes on from what
// the parts before it have come to. Lanes execute a part, or a row of a parallel loop, together.
#include "show.h"
#include <stdlib.h>
#define N 3000
#define R 40
static int a[N], b[N], c[N], at[N];
static double x[N], y[N];
static int rows[R][N / R], sums[R][N / R];

static void show_double(const char *name, const double *p, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 0.5 + p[i];
    printf("%s: %.0f %.0f %.0f %g\n", name, p[0], p[n / 2], p[n - 1], sum);
}

// Behind and in front of the addition, with the value from before, and the last one behind the loop.
static void sums_of(int n)
{
    int s = 7;
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: parallel: scan + s, last s
        s += a[i];
        b[i] = s;
    }
    double t = 1;
#pragma acc kernels
    for (int i = n - 1; i >= 0; i--) { // expect: parallel: scan + t, last t
        y[i] = t;
        t += x[i];
    }
    printf("%d %.0f\n", s, t);
    show("b", b, N);
    show_double("y", y, N);
}

// Under conditions, with steps, and several in one loop, one of which nobody stores.
static void counts(int n)
{
    int count = 0, most = -10000, least = 10000, total = 0;
    unsigned bits = 0, odd = 1;
#pragma acc kernels
    for (long i = 1; i < n; i += 2) { // expect: parallel: scan + count, reduction + total, last count, last total
        if (a[i] > 0)
            count++;
        b[i] = count;
        total += a[i];
    }
#pragma acc kernels
    for (unsigned i = 0; i < n; i++) { // expect: parallel: scan max most, scan min least, last most, last least
        if (a[i] > most)
            most = a[i];
        least = a[i] < least ? a[i] : least;
        c[i] = most - least;
    }
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: parallel: scan ^ bits, scan * odd, last bits, last odd
        bits ^= a[i];
        odd *= 2 * a[i] + 1;
        at[i] = (int)(bits + odd);
    }
    printf("%d %d %d %d %u %u\n", count, most, least, total, bits, odd);
    show("b", b, N);
    show("c", c, N);
    show("at", at, N);
}

// In place, and through pointers that a test has to tell apart.
static void in_place(int *p, int *q, int n)
{
    int s = 0;
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: parallel: scan + s
        s += p[i];
        p[i] = s;
    }
    int t = 0;
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: versioned: if p q, scan + t
        t += p[i];
        q[i] = t & 1023;
    }
}

// What is stored uses subscripts that depend on the sum; what an iteration has stored itself is no sum of its own.
static void around(int n)
{
    int s = 0, u = 0, v = 0;
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: parallel: scan + s, private k
        int k = a[i] & 3;
        s += k;
        b[i] = c[s % N] + k;
    }
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: sequential: scan u
        at[i] = a[i] * 3;
        u += at[i];
        b[i] = u;
    }
#pragma acc kernels
    for (int i = 1; i < n; i++) { // expect: sequential: carried c, distance 1
        v += a[i];
        c[i] = c[i - 1] + v;
    }
    show("b", b, N);
    show("c", c, N);
}

// Each row by itself.
static void of_rows(int n, int m)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: parallel: private s
        int s = i;
        for (int j = 0; j < m; j++) { // expect: parallel: scan + s
            s += rows[i][j];
            sums[i][j] = s;
        }
    }
    show("sums", &sums[0][0], N);
}

// By so few iterations nothing is gained; rows may be shorter.
static void few(void)
{
#pragma acc kernels
    for (int i = 0; i < R; i++) { // expect: parallel: private s, private t
        int s = i, t = 0;
        for (int j = 0; j < 65; j++) { // expect: parallel: scan + s
            s += rows[i][j];
            sums[i][j] = s;
        }
        for (int j = 0; j < 10; j++) { // expect: sequential: scan t
            t += rows[i][j];
            sums[i][65 + j] = t;
        }
    }
    show("sums", &sums[0][0], N);
    int s = 0;
#pragma acc kernels
    for (int i = 0; i < 500; i++) { // expect: sequential: scan s
        s += a[i];
        b[i] = s;
    }
    show("b", b, N);
}

int main(void)
{
    fill(a, N, 11);
    fill(c, N, 12);
    fill(&rows[0][0], N, 13);
    for (int i = 0; i < N; i++)
        x[i] = a[i] & 255;
    static const int lengths[] = {N, 0, 1, 31, 32, 33, 255, 256, 257, 2049};
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        sums_of(lengths[i]);
        counts(lengths[i]);
        around(lengths[i]);
    }
    int *p = malloc(2 * N * sizeof *p), *q = p + N;
    fill(p, 2 * N, 14);
#pragma acc data copy(p[0 : 2 * N])
    {
        in_place(p, q, N);
        in_place(p + 5, p, N);
        in_place(p, p, N);
    }
    show("p", p, 2 * N);
    free(p);
    of_rows(R, N / R);
    of_rows(3, 70);
    few();
}
