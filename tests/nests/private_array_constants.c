// Elements written one by one cover what a loop reads; all but one do not.
#include "show.h"
#define N 100
static int a[N], b[N], c[N], d[N];

int main(void)
{
    int t[4], u[4] = {1, 2, 3, 4}, v[3][2];
    fill(b, N, 78);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) { // expect: parallel: private t
            t[0] = b[i];
            t[1] = b[i] * 3;
            t[2] = b[i] ^ 5;
            t[3] = i;
            int s = 0;
            for (int k = 0; k < 4; k++)
                s = s * 7 + t[k];
            a[i] = s;
        }
        for (int i = 0; i < N; i++) { // expect: sequential: carried u, distance 1
            u[0] = b[i];
            u[1] = b[i] * 3;
            u[3] = u[2] + i;
            int s = 0;
            for (int k = 1; k < 4; k++)
                s = s * 7 + u[k];
            u[2] = b[i];
            c[i] = s;
        }
        for (int i = 0; i < N; i++) { // expect: parallel: private v
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 2; l++)
                    v[k][l] = b[i] + k * l;
            d[i] = v[2][1] - v[b[i] & 1][0];
        }
    }
    show("a", a, N);
    show("c", c, N);
    show("d", d, N);
}
