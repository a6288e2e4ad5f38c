// A jump out of two loops.
#include "show.h"
#define N 30
static int a[N][N], b[N][N];

int main(void)
{
    fill(b[0], N * N, 97);
    b[20][11] = 4711;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: sequential: exit
            for (int j = 0; j < N; j++) { // expect: sequential: exit
                if (b[i][j] == 4711)
                    goto found;
                a[i][j] = b[i][j] + 1;
            }
    found:;
    }
    show("a", a[0], N * N);
}
