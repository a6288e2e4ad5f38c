// The variables of a `private` clause are others than those outside.
#include "show.h"
#define N 30
static int a[N][N][N];

static void clauses(void)
{
    int x = 5, y = 7;
#pragma acc kernels copy(a)
    {
#pragma acc loop gang
        for (int i = 0; i < N; i++) // expect: parallel: private x
#pragma acc loop worker private(x)
            for (int j = 0; j < N; j++) { // expect: parallel: private x
                x = i ^ (j * 3);
#pragma acc loop vector
                for (int k = 0; k < N; k++) // expect: parallel
                    a[i][j][k] += x * k;
            }
#pragma acc loop
        for (int i = 0; i < N; i++) // expect: parallel: private y
#pragma acc loop private(y)
            for (int j = 0; j < N; j++) { // expect: parallel: private y
                y = a[i][j][0] + j;
                a[i][j][1] = y * y;
            }
    }
}

static void beside(int *p)
{
    int v = 5;
#pragma acc kernels copy(v, p[0 : N])
    for (int i = 0; i < N; i++) { // expect: sequential: carried v, distance 1
        int r = 0, old = v;
#pragma acc loop vector independent private(v) reduction(+ : r)
        for (int k = 0; k < 8; k++) {
            v = p[k];
            r += v;
        }
        v = p[i] - (old + i + r % 3);
    }
    p[0] = v;
}

int main(void)
{
    fill(a[0][0], N * N * N, 137);
    clauses();
    show("a", a[0][0], N * N * N);
    beside(a[0][0]);
    show("a", a[0][0], N);
}
