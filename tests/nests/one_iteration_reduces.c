// A loop is parallel, too, where one of its iterations alone uses what a loop inside reduces: what else that
// iteration does to it is done to the variable, not to a copy for all iterations.
#include "show.h"
#define N 40

static int a[N][N], r[3];

static unsigned scalars(void)
{
    unsigned s = 2, t = 7, u = 1;
#pragma acc kernels
    for (int i = 0; i < 8; i++) // expect: parallel
        for (int j = 2; j < 13; j++) { // expect: sequential: carried s, distance 1
            if (i != 2)
                continue;
#pragma acc loop reduction(+ : s)
            for (int k = 0; k < 3; k++) // expect: parallel
                s += (unsigned)a[i][k] * 5u;
            s ^= (unsigned)a[i][j] * 3u;
        }
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel
        if (i == 5) {
            t = (unsigned)a[i][0];
#pragma acc loop vector reduction(+ : t)
            for (int k = 0; k < N; k++) // expect: parallel
                t += (unsigned)a[k][i];
            a[i][7] = (int)t;
        }
    }
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel
        if (i == N - 1) {
#pragma acc loop worker reduction(max : u)
            for (int k = 0; k < N; k++) // expect: parallel
                u = u > (unsigned)a[i][k] ? u : (unsigned)a[i][k];
            u = u / 3;
        } else {
            a[i][3] -= i;
        }
    }
    return s * 31u + t * 7u + u;
}

static void elements(void)
{
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel
        if (i == 4) {
            r[1] = i;
#pragma acc loop reduction(+ : r[0 : 2])
            for (int k = 0; k < N; k++) // expect: parallel
                r[k % 2] += a[i][k];
            r[2] = r[0] * 3 + r[1];
            r[0] ^= 21;
        }
    }
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel
        if (i == 6) {
            for (int k = 0; k < N; k++) // expect: parallel: reduction + r
                r[1] += a[k][i];
            r[1] ^= 5;
        }
    }
    show("r", r, 3);
}

int main(void)
{
    fill(a[0], N * N, 83);
    printf("%u\n", scalars());
    show("a", a[0], N * N);
    elements();
}
