// Pointers that were computed in front of the construct from others, which the construct does not name, or names as
// well: on a device, each leads to a copy of its own section.
#include "show.h"
#define N 40
static int a[10 * N];
static int *global;

struct pair {
    int *left, *right;
};

static void copied(int *p, int *q)
{
    int *r = p;
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: versioned: if r q
        r[i + 1] = q[i] + 1;
}

static void behind(int *p)
{
    int *r = p + 3;
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: versioned: if r global
        r[i + 1] = global[i] + 2;
}

static void chosen(struct pair *s, struct pair t, int n)
{
    int *r = n > 5 ? s->left : t.right;
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: versioned: if r global
        r[i + n] = global[i + 1] * 3;
}

static void both(int *p, int *q)
{
    int *r = p + 5 * N;
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: versioned: if r p q
        r[i + 1] = q[i] + p[i];
}

static void stepping(int *p, int *q)
{
    int *r = p + 2;
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: versioned: if r q
        *r++ = q[i] * 2;
}

int main(void)
{
    fill(a, 10 * N, 21);
    copied(a, a + 2 * N);
    copied(a + 1, a + 1);
    copied(a + N, a + N - 1);
    global = a + 3 * N;
    behind(a);
    behind(a + 3 * N - 3);
    struct pair s = {a, a + N}, t = {a + 3 * N, a + 4 * N};
    chosen(&s, t, 7);
    chosen(&s, t, 3);
    global = a + 4 * N + 2;
    chosen(&s, t, 3);
    both(a, a + 2 * N);
    both(a, a + 5 * N);
    both(a + 1, a + 5 * N + 2);
    stepping(a, a + N);
    stepping(a, a + 1);
    show("a", a, 10 * N);
}
