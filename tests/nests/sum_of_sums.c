// A sum over two loops; sums of rows in a scalar of the outer loop's.
#include "show.h"
#define N 40
static int a[N][N], r[N];

int main(void)
{
    int s = 0, t;
    fill(a[0], N * N, 78);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel: reduction + s
            for (int j = 0; j <= i; j++) // expect: parallel: reduction + s
                s += a[i][j];
        for (int i = 0; i < N; i++) { // expect: parallel: private t
            t = 0;
            for (int j = 0; j < N; j++) // expect: parallel: reduction + t
                t += a[i][j];
            r[i] = t;
        }
    }
    printf("%d\n", s);
    show("r", r, N);
}
