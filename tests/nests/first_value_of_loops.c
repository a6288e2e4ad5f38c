// A scalar has its first value until an iteration of one of several nests assigns it.
#include "show.h"
#define N 40
static int a[N], b[N][N];

int main(void)
{
    int t = 17, i = 0, s = 3;
    fill(b[0], N * N, 62);
    for (int j = 0; j < N; j++)
        b[0][j] &= ~1;
#pragma acc kernels
    {
        while (i < 4) { // expect: sequential: scalar t
            for (int j = 0; j < N; j++) // expect: parallel: reduction + s
                s += b[i][j];
            for (int j = 0; j < 8; j++) { // expect: sequential: scalar t
                if (b[i][j] & 1)
                    t = b[j][i] + 7;
                a[8 * i + j] = t;
            }
            i++;
        }
    }
    show("a", a, N);
    printf("%d %d %d\n", t, s, i);
}
