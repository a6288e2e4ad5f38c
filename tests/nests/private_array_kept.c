// Elements behind the loop are those of the last iteration that wrote them; no iteration writes the last one.
#include "show.h"
#define N 40
#define M 8
static int a[N][M], b[N][M], t[M + 1], u[M], v[M];

static void work(int n)
{
#pragma acc kernels
    {
        for (int i = 0; i < n; i++) { // expect: parallel: last t
            for (int j = 0; j < M; j++)
                t[j] = b[i][j] - i;
            for (int j = 0; j < M; j++)
                a[i][j] = t[M - 1 - j];
        }
        for (int i = 0; i < n; i++) { // expect: sequential: carried u, distance 1
            for (int j = 0; j < i % M; j++)
                u[j] = b[i][j] + i;
            for (int j = 0; j < i % M; j++)
                a[i][j] += u[j];
        }
        for (int i = 0; i < n; i++) { // expect: sequential: carried v, distance 1
            if (b[i][0] % 2) {
                for (int j = 0; j < M; j++)
                    v[j] = b[i][j] * 2;
                for (int j = 0; j < M; j++)
                    a[i][j] += v[j];
            }
        }
    }
}

int main(void)
{
    fill(b[0], N * M, 80);
    for (int j = 0; j <= M; j++)
        t[j] = 1000 + j;
    work(0);
    show("t", t, M + 1);
    work(N);
    show("a", a[0], N * M);
    show("t", t, M + 1);
    show("u", u, M);
    show("v", v, M);
}
