// A clause of an inner loop reduces what that loop does; beside it, and in sections that it does not name, a
// variable is shared by the iterations around as any other.
#include "show.h"
#define N 64
static int a[N][N], b[N], t[8], s2;

static int sums(int s)
{
#pragma acc kernels copy(s)
    for (int i = 0; i < N; i++) // expect: parallel: reduction + s
#pragma acc loop reduction(+ : s)
        for (int j = 0; j < N; j++) // expect: parallel
            s += a[i][j];
#pragma acc kernels copy(s)
    for (int i = 0; i < N; i++) // expect: parallel: reduction + s
#pragma acc loop reduction(+ : s)
        for (int j = 0; j < 4; j++) // expect: parallel
            s += a[i][j];
    return s;
}

static int beside(int s)
{
#pragma acc kernels copyout(b)
    for (int i = 0; i < N; i++) { // expect: sequential: carried s, distance 1
#pragma acc loop reduction(+ : s)
        for (int j = 0; j < N; j++) // expect: parallel
            s += a[i][j];
        b[i] = s;
    }
    show("b", b, N);
#pragma acc kernels copyout(b)
    for (int i = 0; i < N; i++) { // expect: sequential: carried s, distance 1
        b[i] = s;
#pragma acc loop vector reduction(+ : s)
        for (int j = 0; j < N; j++) // expect: parallel
            s += a[i][j];
    }
    show("b", b, N);
#pragma acc kernels copyout(b)
    for (int i = 0; i < N; i++) { // expect: sequential: carried s, distance 1
        if (i % 3 == 0)
            s = i;
#pragma acc loop reduction(+ : s)
        for (int j = 0; j < N; j++) // expect: parallel
            s += a[i][j];
        b[i] = s;
    }
    show("b", b, N);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel: reduction + s2
#pragma acc loop reduction(+ : s2)
        for (int j = 0; j < N; j++) // expect: parallel
            s2 += a[i][j];
        s2 += 1;
    }
    return s + s2;
}

static int last(void)
{
    int s, r;
#pragma acc kernels copyout(b)
    for (int i = 0; i < N; i++) { // expect: parallel: last s
        s = i;
#pragma acc loop reduction(+ : s)
        for (int j = 0; j < N; j++) // expect: parallel
            s += a[i][j];
        b[i] = s;
    }
    show("b", b, N);
#pragma acc kernels copyout(b)
    for (int i = 0; i < N; i++) { // expect: parallel: last r
        r = 1;
#pragma acc loop vector reduction(max : r)
        for (int j = 0; j < N; j++) // expect: parallel
            r = a[i][j] > r ? a[i][j] : r;
        b[i] = r * 3;
    }
    show("b", b, N);
    return s * 10 + r;
}

static void sections(int k, int n)
{
#pragma acc kernels loop reduction(+ : t[1]) copyout(b)
    for (int i = 0; i < N; i++) { // expect: sequential: carried t, distance 1
        t[1] += a[i][0];
        t[2] = t[2] / 2 + a[i][1];
        b[i] = t[2];
    }
    show("b", b, N);
#pragma acc kernels loop reduction(+ : t[k : 2]) copyout(b)
    for (int i = 0; i < N; i++) { // expect: sequential: carried t, distance 1
        t[k] += a[i][0];
        t[k + 1] += 3;
        t[6] = t[6] / 2 + a[i][1];
        b[i] = t[6];
    }
    show("b", b, N);
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: parallel: reduction + t
#pragma acc loop reduction(+ : t[0 : 4])
        for (int j = 0; j < 4; j++) // expect: parallel
            t[j] += a[i][j];
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel: reduction + t
        int q = i % 4;
#pragma acc loop reduction(+ : t[q : n])
        for (int j = 0; j < n; j++) // expect: parallel
            t[q + j] += a[i][j];
    }
}

int main(void)
{
    fill(a[0], N * N, 41);
    int s = sums(3);
    show("s", &s, 1);
    s = beside(s);
    show("s", &s, 1);
    s = last();
    show("s", &s, 1);
    sections(3, 2);
    show("t", t, 8);
}
