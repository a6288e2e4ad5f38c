// A transposition in place: of all pairs, and of those below the diagonal.
#include "show.h"
#define N 40
static int a[N][N], b[N][N];

int main(void)
{
    fill(a[0], N * N, 24);
    fill(b[0], N * N, 25);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: sequential: carried a, distance 1
            for (int j = 0; j < N; j++) // expect: parallel
                a[i][j] = a[j][i] + 1;
        for (int i = 1; i < N; i++) // expect: parallel
            for (int j = 0; j < i; j++) { // expect: parallel
                int t = b[i][j];
                b[i][j] = b[j][i];
                b[j][i] = t;
            }
    }
    show("a", a[0], N * N);
    show("b", b[0], N * N);
}
