// Forward substitution: rows carry, the sum within a row is a reduction onto an element.
#include "show.h"
#define N 40
static int l[N][N], x[N], b[N];

int main(void)
{
    fill(l[0], N * N, 31);
    fill(b, N, 32);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: sequential: carried x, distance 1
        x[i] = b[i];
        for (int j = 0; j < i; j++) // expect: parallel: reduction + x
            x[i] -= (l[i][j] % 7) * x[j];
    }
    show("x", x, N);
}
