// Products of rows with rows: lanes go along the rows of `b`, one for each, and a thread has several rows of `a` with it, which
// the lanes have in common.
#include "show.h"
#define N 512
#define LENGTH 6
#define LONG 16
static int a[N][LENGTH], b[N][LENGTH], c[N][N];
static int wide[N][LONG], others[N][LONG];

int main(void)
{
    fill(a[0], N * LENGTH, 5);
    fill(b[0], N * LENGTH, 6);
#pragma acc kernels
    for (int i = 0; i < N; i++)         // expect: parallel: private j, private s, private k
        for (int j = 0; j < N; j++) {   // expect: parallel: private s, private k
            int s = 0;
            for (int k = 0; k < LENGTH; k++) // expect: parallel: reduction + s
                s += a[i][k] * b[j][k];
            c[i][j] = s;
        }
    show("c", c[0], N * N);
    show("row", c[77], N);
    fill(wide[0], N * LONG, 7);
    fill(others[0], N * LONG, 8);
#pragma acc kernels
    for (int i = 0; i < N; i++)         // expect: parallel: private j, private s, private k
        for (int j = 0; j < N; j++) {   // expect: parallel: private s, private k
            int s = i;
            for (int k = 0; k < LONG; k++) // expect: parallel: reduction + s
                s += (wide[i][k] - others[j][k]) * (wide[i][k] - others[j][k]);
            c[i][j] = s;
        }
    show("c", c[0], N * N);
}
