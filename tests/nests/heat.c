// Three dimensions, in and out of place.
#include "show.h"
#define N 12
static int a[N][N][N], b[N][N][N];

int main(void)
{
    fill(a[0][0], N * N * N, 122);
#pragma acc kernels
    {
        for (int i = 1; i < N - 1; i++) // expect: parallel
            for (int j = 1; j < N - 1; j++) // expect: parallel
                for (int k = 1; k < N - 1; k++) // expect: parallel
                    b[i][j][k] = a[i - 1][j][k] + a[i + 1][j][k] - a[i][j - 1][k] + a[i][j][k + 1];
        for (int i = 1; i < N - 1; i++) // expect: parallel
            for (int j = 1; j < N - 1; j++) // expect: sequential: carried b, distance 1
                for (int k = 1; k < N - 1; k++) // expect: parallel
                    b[i][j][k] = b[i][j - 1][k + 1] + b[i][j][k];
    }
    show("b", b[0][0], N * N * N);
}
