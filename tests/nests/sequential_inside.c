// A loop that stays sequential directly inside of a parallel one, by a directive or by its dependences.
#include "show.h"
#define N 48
static int a[N], b[N][N], c[N], d[N];

int main(void)
{
    fill(a, N, 91);
    fill(b[0], N * N, 92);
    fill(c, N, 93);
    fill(d, N, 94);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) { // expect: parallel: private j
#pragma acc loop seq
            for (int j = 0; j < N; j++)
                a[i] = (a[i] * 3 + b[j][i]) % 10007;
        }
        for (int i = 0; i < N; i++) { // expect: parallel: private j
#pragma acc loop auto
            for (int j = 0; j < N; j++) // expect: parallel: reduction + c
                c[i] += b[i][j] % 97;
        }
        for (int i = 0; i < N; i++) { // expect: parallel: private j
#pragma acc loop
            for (int j = 0; j < N; j++) // expect: sequential: carried d, distance 1
                d[i] = (d[i] * 3 + b[j][i]) % 10007;
        }
    }
    show("a", a, N);
    show("c", c, N);
    show("d", d, N);
}
