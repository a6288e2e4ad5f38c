// Elements that an iteration does not write hold what an earlier one has written.
#include "show.h"
#define N 100
#define M 12
static int a[N][M], b[N][M], c[N][M];

int main(void)
{
    int t[M] = {0}, u[M + 1] = {0};
    fill(b[0], N * M, 74);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) { // expect: sequential: carried t, distance 1
            for (int j = 0; j < M; j++) // expect: parallel
                if (b[i][j] > 0)
                    t[j] = b[i][j];
            for (int j = 0; j < M; j++) // expect: parallel
                a[i][j] = t[j];
        }
        for (int i = 0; i < N; i++) { // expect: sequential: carried u, distance 1
            for (int j = 0; j < M; j++) // expect: parallel
                c[i][j] = u[j + 1] + u[j];
            for (int j = 0; j < M; j++) // expect: parallel
                u[j] = b[i][j];
        }
    }
    show("a", a[0], N * M);
    show("c", c[0], N * M);
}
