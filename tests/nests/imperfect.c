// Statements between the loops of a nest.
#include "show.h"
#define N 40
static int a[N], b[N][N], c[N];

int main(void)
{
    fill(b[0], N * N, 107);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) { // expect: parallel
            a[i] = i;
            for (int j = 0; j < N; j++) // expect: parallel: reduction + a
                a[i] += b[i][j];
            c[i] = a[i] * 2;
            for (int j = i; j < N; j++) // expect: parallel
                b[i][j] = c[i] - j;
        }
        for (int i = 1; i < N; i++) { // expect: sequential: carried a, distance 1
            for (int j = 0; j < N; j++) // expect: parallel
                b[i][j] += a[i - 1];
            a[i] = b[i][i];
        }
    }
    show("a", a, N);
    show("b", b[0], N * N);
    show("c", c, N);
}
