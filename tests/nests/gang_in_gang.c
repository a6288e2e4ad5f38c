// A gang loop inside of a gang loop.
#include "show.h"
#define N 40
static int a[N][N], b[N][N];

int main(void)
{
    fill(b[0], N * N, 119);
#pragma acc kernels
    {
#pragma acc loop gang
        for (int i = 0; i < N; i++) // expect: parallel
#pragma acc loop gang // warn: clause-ignored
            for (int j = 0; j < N; j++) // expect: parallel
                a[i][j] = b[j][i] + 1;
    }
    show("a", a[0], N * N);
}
