// Code behind a cycle that is no loop of the tree, or behind a loop that is left from its middle, runs with
// what the last round left, not with what was there before the first: facts of the way in would say that it
// is never reached.
#include "show.h"
#define N 40

static int a[N][N], b[N], t[9];

static void two_conditions(void)
{
#pragma acc kernels
    for (int i = 1; i < 6; i++) { // expect: sequential: carried t, distance 1
        for (unsigned j = 5; j > 0 && j-- > 0;) // expect: sequential: exit
            a[i + 1][j] = b[i + j] * 3;
        for (int k = 1; k < 5; k++) // expect: sequential: carried t, distance 1
            t[k] = (a[i][k] ^ t[i + 2]) + k;
    }
    show("t", t, 9);
}

static void labels(void)
{
#pragma acc kernels
    for (int i = 0; i < 6; i++) {
        int n = 3, s = 0;
    again:
        s += b[i + n];
        if (--n > 0)
            goto again;
        for (int k = 1; k < 5; k++) // expect: sequential: carried t, distance 1
            t[k + n] = t[k + n - 1] * 3 + s;
        for (int k = 0; k < 5; k++) // expect: parallel
            a[i][k + 2 * n] = s + k;
    }
    show("t", t, 9);
    show("a", a[0], N * N);
}

int main(void)
{
    fill(a[0], N * N, 97);
    fill(b, N, 98);
    fill(t, 9, 99);
    two_conditions();
    labels();
}
