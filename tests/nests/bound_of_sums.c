// The header compares a sum that is made of the counter.
#include "show.h"
#define N 120
static int a[N + 1], b[2 * N], c[2 * N];

static void sort(int n, int *p)
{
#pragma acc kernels copy(p[0 : n])
    for (int t = 0; t < n; t++) // expect: sequential: unknown-subscript p
        for (int i = t & 1; i + 1 < n; i += 2) // expect: parallel: private u
            if (p[i] > p[i + 1]) {
                int u = p[i];
                p[i] = p[i + 1];
                p[i + 1] = u;
            }
}

static void by_four(size_t n, int *restrict p, const int *restrict q)
{
#pragma acc kernels
    for (size_t i = 0; i + 3 < n; i += 4) { // expect: parallel
        p[i] = q[i + 1];
        p[i + 3] = q[i];
    }
}

static unsigned without_sign(unsigned n, int *restrict p, const int *restrict q)
{
    unsigned i;
#pragma acc kernels
    for (i = 0; i + 1 < n; i++) // expect: parallel
        p[i] = q[i] + 1;
    return i;
}

static unsigned below_zero(unsigned n)
{
    unsigned i;
#pragma acc kernels
    for (i = 0; i - 1 < n; i++) // expect: sequential: unknown-subscript c
        c[i] = b[i] + 2;
    return i;
}

static int half(int n, int *restrict p, const int *restrict q)
{
    int i;
#pragma acc kernels
    for (i = 1; 2 * i + 1 < n; i++) // expect: parallel
        p[i] = q[2 * i] + q[2 * i + 1];
    return i;
}

static int window(int n, int h, int *restrict p, const int *restrict q)
{
    int i;
#pragma acc kernels
    for (i = n - 1; i - h >= 0; i--) // expect: parallel
        p[i] = q[i] - q[i - h];
    return i;
}

static int left(int n, int *p)
{
    int i;
#pragma acc kernels
    for (i = 0; n - i > 3; i++) // expect: sequential: carried p, distance 1
        p[i] = p[i + 1] * 3;
    return i;
}

static int both(int n, int *restrict p, const int *restrict q)
{
    int i, j;
#pragma acc kernels
    for (i = 0, j = 0; i + j < n; i++, j += 2) // expect: parallel
        p[i] = q[j] * 9;
    return 1000 * i + j;
}

static int with_step_first(int n, int *restrict p, const int *restrict q)
{
    int i = 0;
#pragma acc kernels
    while (++i < n) // expect: parallel
        p[i] = q[i] * 7;
    return i;
}

int main(void)
{
    fill(a, N, 41);
    fill(b, 2 * N, 42);
    for (int n = 0; n < 14; n++) {
        sort(n, a);
        by_four(n, c, b);
        printf("%d ", half(n, c, b));
        printf("%d ", window(n, 3, c, b));
        printf("%d ", left(n, c));
        printf("%d ", both(n, c, b));
        printf("%d\n", with_step_first(n, c, b));
        if (n > 0)
            printf("%u\n", without_sign(n, c, b));
        show("c", c, 2 * N);
    }
    sort(N, a);
    by_four(N, c, b);
    printf("%d %u\n", both(N, c, b), below_zero(0));
    show("a", a, N);
    show("c", c, 2 * N);
}
