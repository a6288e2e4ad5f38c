// Subscripts in which both counters take part.
#include "show.h"
#define N 40
static int a[2 * N], b[N][N], c[3 * N];

int main(void)
{
    fill(b[0], N * N, 23);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: sequential: carried a, distance 1
            for (int j = 0; j < N; j++) // expect: parallel
                a[i + j] = b[i][j];
        for (int i = 0; i < N; i++) // expect: sequential: carried c, distance 2
            for (int j = 0; j < 2; j++) // expect: parallel
                c[2 * i + 4 * j] = b[j][i];
        for (int i = 0; i < N; i++) // expect: parallel
            for (int j = 0; j < 2; j++) // expect: parallel
                c[2 * i + j] += b[i][j];
    }
    show("a", a, 2 * N);
    show("c", c, 3 * N);
}
