// Pointers that a region lets change places: each is mapped with all that any of them accesses.
#include "show.h"
#include <stdlib.h>

static void two(int steps, int n, int *a, int *b)
{
#pragma acc kernels
    for (int t = 0; t < steps; t++) { // expect: sequential: scalar a
        for (int i = 1; i < n - 1; i++) // expect: sequential: unknown-subscript
            b[i] = (a[i - 1] + a[i + 1]) / 2;
        int *kept = a;
        a = b;
        b = kept;
    }
}

static void three(int steps, int n, int *a, int *b, int *c)
{
    int *kept;
#pragma acc kernels
    for (int t = 0; t < steps; t++) { // expect: sequential: scalar a
        for (int i = 1; i < n - 1; i++) // expect: sequential: unknown-subscript
            c[i] = a[i - 1] + 3 * b[i + 1];
        kept = a;
        a = b;
        b = c;
        c = kept;
    }
}

static void perhaps(int steps, int n, const int *flags, int *a, int *b)
{
#pragma acc kernels copyin(flags[0 : steps])
    for (int t = 0; t < steps; t++) { // expect: sequential: scalar a
        if (flags[t]) {
            int *kept = a;
            a = b;
            b = kept;
        }
        for (int i = 0; i < n; i++) // expect: sequential: unknown-subscript
            a[i] += b[n - 1 - i] + t;
    }
}

// One of them leads into the other's memory, which is there.
static void elsewhere(int steps, int n, int *a, int *b)
{
#pragma acc kernels copy(a[0 : n])
    for (int t = 0; t < steps; t++) { // expect: sequential: carried a, distance 1
        b = a + 1;
        for (int i = 1; i < n - 1; i++) // expect: sequential: carried a, distance 1
            b[i] += b[i - 1];
    }
}

int main(void)
{
    enum { N = 40 };
    int flags[6] = { 1, 0, 0, 1, 1, 0 };
    for (int steps = 0; steps < 6; steps++) {
        int *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), *c = malloc(N * sizeof *c);
        fill(a, N, 3);
        fill(b, N, 5);
        fill(c, N, 7);
        two(steps, N, a, b);
        three(steps, N, a, b, c);
        perhaps(steps, N, flags, a, c);
        elsewhere(steps, N, b, c);
        show("a", a, N);
        show("b", b, N);
        show("c", c, N);
        free(a);
        free(b);
        free(c);
    }
    two(0, N, 0, 0);
}
