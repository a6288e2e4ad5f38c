// Sums onto elements that the loop does not move.
#include "show.h"
#define N 24
static int a[N][N], b[N][N], c[N][N], s[2];

int main(void)
{
    fill(a[0], N * N, 83);
    fill(b[0], N * N, 84);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            for (int j = 0; j < N; j++) { // expect: parallel
                c[i][j] = 0;
                for (int k = 0; k < N; k++) // expect: parallel: reduction + c
                    c[i][j] += (a[i][k] % 100) * (b[k][j] % 100);
            }
        for (int i = 0; i < N; i++) // expect: parallel: reduction + s
            s[1] += a[i][i];
    }
    show("c", c[0], N * N);
    printf("%d\n", s[1]);
}
