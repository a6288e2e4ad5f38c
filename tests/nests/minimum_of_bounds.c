// Bounds that are the smaller or the greater of two values.
#include "show.h"
#define N 60
#define W 5
static int a[N][N], b[N][N], r[N];

int main(void)
{
    fill(a[0], N * N, 124);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel
        int low = i > W ? i - W : 0, high = i + W < N ? i + W : N, s = 0;
        for (int j = low; j < high; j++) { // expect: parallel: reduction + s
            b[i][j] = a[i][j] * 2;
            s += a[j][i];
        }
        r[i] = s;
    }
    show("b", b[0], N * N);
    show("r", r, N);
}
