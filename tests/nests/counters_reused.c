// A scalar that the function declares, and that later code sets before it reads it, is nobody's last value:
// iterations have it for themselves, and loops around it can be merged.
#include "show.h"
#define N 20

static int a[N][N], b[N][N];

static void constructs_in_turn(int n)
{
    int i, j, t;
#pragma acc kernels
    for (i = 0; i < n; i++) // expect: parallel: private j
        for (j = 0; j < n; j++) // expect: parallel
            a[i][j] = b[j][i] * 3 + i;
#pragma acc kernels
    {
        for (i = 0; i < n; i++) // expect: parallel: private j, private t
            for (j = 0; j < n; j++) { // expect: parallel: private t
                t = a[i][j];
                b[i][j] = t + j;
            }
        for (j = 0; j < n; j++) // expect: parallel: private i
            for (i = 0; i < n; i++) // expect: parallel
                a[i][j] ^= b[i][j];
    }
    // Private by a clause, of the launch, and the host's own.
#pragma acc parallel loop firstprivate(j)
    for (i = 0; i < n; i++)
        for (j = 0; j < 3; j++)
            b[i][j] += i;
    for (j = 0; j < n; j++)
        a[0][j]++;
    show("a", a[0], N * N);
    show("b", b[0], N * N);
}

static void time_loop(int n)
{
    int i, j, t;
    for (t = 0; t < 3; t++) {
#pragma acc kernels
        for (i = 1; i < n; i++) // expect: parallel: private j
            for (j = 1; j < n; j++) // expect: parallel
                a[i][j] = b[i - 1][j] + b[i][j - 1];
#pragma acc kernels
        for (i = 1; i < n; i++) // expect: parallel: private j
            for (j = 1; j < n; j++) // expect: parallel
                b[i][j] += a[i][j] % 7;
    }
    show("a", a[0], N * N);
    show("b", b[0], N * N);
}

// What a later construct only may set, has as a copy, or reduces, is wanted.
static void wanted(int n, int k)
{
    int i, s, t, u, w;
#pragma acc kernels
    for (i = 0; i < n; i++) { // expect: parallel: last s, last t, last u, last w
        s = a[0][i];
        t = s + 1;
        u = s + 2;
        w = s + 3;
        b[0][i] = s * t + u * w;
    }
#pragma acc kernels
    if (k > n)
        s = 1;
#pragma acc parallel loop private(t)
    for (i = 0; i < n; i++) {
        t = i;
        b[1][i] += t;
    }
#pragma acc parallel loop reduction(+ : u)
    for (i = 0; i < n; i++)
        u += i;
#pragma acc parallel firstprivate(w) num_gangs(1)
    {
        if (k > n)
            w = 1;
        b[2][0] = w;
    }
    show("b", b[0], N * N);
    printf("%d %d %d %d\n", s, t == n - 1 || t == a[0][n - 1] + 1, u, w);
}

// The last value of a sum that an inner loop makes is that of the last iteration, not one of all of them.
static void last_of_inner_sums(int n)
{
    int i, k, t = 5;
#pragma acc kernels
    for (i = 0; i < n; i++) { // expect: parallel: private k, last t
        t = i;
        for (k = 0; k < n; k++) // expect: parallel: reduction + t
            t += a[i][k] * k;
        b[i][0] = t;
    }
    show("b", b[0], N * N);
    printf("%d\n", t);
}

int main(void)
{
    for (int i = 0; i < N * N; i++) {
        a[i / N][i % N] = i * 7 % 31;
        b[i / N][i % N] = i * i % 23;
    }
    constructs_in_turn(N);
    time_loop(N);
    wanted(N, 3);
    last_of_inner_sums(N);
}
