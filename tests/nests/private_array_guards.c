// A write under a condition covers a read under the same one, and no read elsewhere; a loop that may not run covers nothing.
#include "show.h"
#define N 80
#define M 8
static int a[N][M], b[N][M];

int main(void)
{
    int t[M], u[M], v[M];
    fill(b[0], N * M, 82);
    for (int j = 0; j < M; j++)
        u[j] = v[j] = j;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) { // expect: parallel: private t
            if (b[i][0] > 0) {
                for (int j = 0; j < M; j++)
                    t[j] = b[i][j];
                for (int j = 0; j < M; j++)
                    a[i][j] = t[M - 1 - j];
            }
        }
        for (int i = 0; i < N; i++) { // expect: sequential: carried u, distance 1
            if (b[i][0] > 0)
                for (int j = 0; j < M; j++)
                    u[j] = b[i][j];
            a[i][0] += u[3];
        }
        for (int i = 0; i < N; i++) { // expect: sequential: carried v, distance 1
            int m = b[i][1] & 7;
            for (int j = 0; j < m; j++)
                v[j] = b[i][j];
            for (int j = 0; j <= m; j++)
                a[i][1] += v[j & 7];
        }
    }
    show("a", a[0], N * M);
}
