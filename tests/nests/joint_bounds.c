// Two bounds of one counter: blocks whose last one is short, loops that end with the shorter of two arrays.
#include "show.h"
#define N 130
static int a[N], b[2 * N], c[2 * N];

static void blocks(int n, int size, int *restrict p, const int *restrict q)
{
#pragma acc kernels
    for (int i = 0; i < n; i += size) // expect: parallel
        for (int j = i; j < i + size && j < n; j++) // expect: parallel
            p[j] = p[j] * 3 + q[j];
}

static void blocks_by_choice(int n, int size, int *restrict p, const int *restrict q)
{
#pragma acc kernels
    for (int i = 0; i < n; i += size) // expect: parallel
        for (int j = i; j < (i + size < n ? i + size : n); j++) // expect: parallel
            p[j] = p[j] * 5 + q[j];
}

static void without_sign(size_t n, int *p, const int *q)
{
#pragma acc kernels
    for (size_t i = 0; i < n; i += 16) // expect: versioned: if p q
        for (size_t j = i; j < i + 16 && j < n; j++) // expect: versioned: if p q
            p[j] = q[j] * 7;
}

static void overlapping(int n, int *restrict p, const int *restrict q)
{
#pragma acc kernels
    for (int i = 0; i < n; i += 16) // expect: sequential: carried p, distance 1
        for (int j = i; j < i + 17 && j < n; j++) // expect: parallel
            p[j] = p[j] * 3 + q[j];
}

static int shorter(int n, int m, int k, int *restrict p, const int *restrict q)
{
    int i;
#pragma acc kernels
    for (i = 0; i < n && m > i && i < k; i++) // expect: parallel
        p[i] = q[i] * 9;
    return i;
}

static int downwards(int n, int m, int *restrict p, const int *restrict q)
{
    int i;
#pragma acc kernels
    for (i = n - 1; i >= 0 && i >= n - m; i--) // expect: parallel
        p[i] = q[i] * 11;
    return i;
}

static int divided(int n, int m, int *p)
{
    int i;
#pragma acc kernels copy(p[0 : n])
    for (i = 0; i < n && i < n / m; i++) // expect: sequential: exit
        p[i] = i;
    return i;
}

static int shrinks(int n, int *restrict p, const int *restrict q)
{
    int i, m = n;
#pragma acc kernels copy(p[0 : n]) copyin(q[0 : n])
    for (i = 0; i < n && i < m; i++) { // expect: sequential: scalar m
        p[i] = q[i];
        if (q[i] & 1)
            m--;
    }
    return i;
}

static int between(int n, int m, int *restrict p, const int *restrict q)
{
    int i = 0;
#pragma acc kernels copy(p[0 : n + 1]) copyin(q[0 : n + 1])
    while (i++ < n && i < m) // expect: sequential: exit
        p[i] = q[i] * 13;
    return i;
}

static int steps_in_between(int n, int m, int *restrict p, const int *restrict q)
{
    int i = n;
#pragma acc kernels copy(p[0 : n + 1]) copyin(q[0 : n + 1])
    for (; i > 0 && i-- > n - m;) // expect: sequential: exit
        p[i] = q[i] * 15;
    return i;
}

int main(void)
{
    int bounds[] = {0, 1, 2, 15, 16, 17, 40, N - 1}, others[] = {1, 3, 16, 17, 50};
    fill(a, N, 61);
    fill(b, 2 * N, 62);
    for (int x = 0; x < 8; x++)
        for (int y = 0; y < 5; y++) {
            int n = bounds[x], m = others[y];
            blocks(n, m, a, b);
            blocks_by_choice(n, m, a, b);
            without_sign((size_t)n, c, b);
            overlapping(n, a, b);
            printf("%d ", shorter(n, m, 20, c, b));
            printf("%d ", downwards(n, m, c, b));
            printf("%d ", divided(n, n == 0 ? 0 : m, c));
            printf("%d ", shrinks(n, c, b));
            printf("%d ", between(n, m, c, b));
            printf("%d\n", steps_in_between(n, m, c, b));
            show("a", a, N);
            show("c", c, 2 * N);
        }
}
