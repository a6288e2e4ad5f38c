// The inner counter is declared outside of the region, and each iteration of the outer loop needs its own.
#include "show.h"
#define N 40
static int a[N][N], b[N][N];

int main(void)
{
    int i, j, t;
    fill(b[0], N * N, 118);
#pragma acc kernels
    {
#pragma acc loop gang
        for (i = 0; i < N; i++) // expect: parallel
            for (j = 0; j < N; j++) { // expect: parallel
                t = b[i][j] * 2;
                a[i][j] = t * t % 1000;
            }
    }
    show("a", a[0], N * N);
}
