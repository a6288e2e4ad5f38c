// Conditions behind commas, and truth values compared with zero: what pointers lead to is known in front of the nest.
#include "show.h"
#define N 100
static int a[N], b[N];

static int count(int *p, int *q, int n)
{
    int i = 0, y = 0;
#pragma acc kernels
    while (y = 3 * i, (i < n) != 0) { // expect: versioned: if q p, last y
        p[i] = q[i] + y;
        i++;
    }
    return y + i;
}

static int back(int *p, int n)
{
    int i = n, k = 0;
#pragma acc kernels
    for (; k = i, (i < 1) == 0; i--) // expect: parallel: last k
        p[i - 1] = p[i - 1] * 5 + k;
    return i + k;
}

int main(void)
{
    fill(a, N, 5);
    fill(b, N, 6);
    printf("%d\n", count(a, b, N));
    printf("%d\n", count(a + 1, a, N - 1));
    printf("%d\n", back(a, N));
    show("a", a, N);
}
