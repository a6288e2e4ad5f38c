// Elements that an earlier iteration of an inner loop has written, and the first one before it.
#include "show.h"
#define N 60
#define M 16
static int a[N][M], b[N][M];

int main(void)
{
    int t[M], u[M] = {0};
    fill(b[0], N * M, 76);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) { // expect: parallel: private t
            t[0] = b[i][0];
            for (int j = 1; j < M; j++)
                t[j] = t[j - 1] + b[i][j];
            for (int j = M - 1; j >= 0; j--)
                a[i][j] = t[j] * 2;
        }
        for (int i = 0; i < N; i++) { // expect: sequential: carried u, distance 1
            for (int j = 1; j < M; j++)
                u[j] = u[j - 1] + b[i][j];
            u[0] = b[i][0];
            a[i][0] += u[M - 1];
        }
    }
    show("a", a[0], N * M);
}
