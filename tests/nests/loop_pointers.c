// Loops of pointers that run until they meet an end: upwards, downwards, over structures, with a counter
// beside.
#include "show.h"
#define N 200
static int a[N], b[N], c[N];
static struct triple {
    int x, y, z;
} triples[N];

static void up(int *p, int n)
{
#pragma acc kernels
    for (int *q = p; q != p + n; q++) // expect: parallel
        *q = *q * 3 + 1;
}

static void down(int *p, int n)
{
#pragma acc kernels
    for (int *q = p + n; q != p; q--) // expect: parallel
        q[-1] = q[-1] * 5 + 1;
}

static void running(int *p, int n)
{
#pragma acc kernels
    for (int *q = p + 1; q != p + n; q++) // expect: sequential: carried p, distance 1
        *q += q[-1] % 100;
}

int main(void)
{
    fill(a, N, 121);
    fill(b, N, 122);
    up(a, N);
    show("a", a, N);
    up(a + 7, 0);
    up(a + 7, 1);
    show("a", a, N);
    down(b, N);
    show("b", b, N);
    running(b, N);
    show("b", b, N);
    int i = 0;
#pragma acc kernels
    for (struct triple *t = triples; t != triples + N; t++, i++) { // expect: parallel
        t->y = a[i];
        c[i] = t->x + i;
    }
    show("c", c, N);
    show("triples", &triples[0].x, 3 * N);
    printf("%d\n", i);
}
