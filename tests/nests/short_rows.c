// Sums of rows that are short, by a constant: a lane has a row, and its thread goes through it. Rows that a warp has
// something to do for are shared by lanes.
#include "show.h"
#define N 500
static int of_three[N][3], of_twenty[N][20], of_hundred[N][100], sums[N];

static void rows_of_a_parameter(int n, const int *restrict p, int *restrict r)
{
#pragma acc kernels copyin(p[0:n * 3]) copyout(r[0:n])
    for (int i = 0; i < n; i++) { // expect: parallel: private s, private k
        int s = 0;
        for (int k = 0; k < 3; k++) // expect: parallel: reduction + s
            s += p[i * 3 + k] * (k + 1);
        r[i] = s;
    }
}

int main(void)
{
    fill(of_three[0], N * 3, 5);
    fill(of_twenty[0], N * 20, 6);
    fill(of_hundred[0], N * 100, 7);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel: private s, private k
        int s = 0;
        for (int k = 0; k < 3; k++) // expect: parallel: reduction + s
            s += of_three[i][k];
        sums[i] = s;
    }
    show("three", sums, N);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel: private s, private k
        int s = i;
        for (int k = 19; k >= 0; k--) // expect: parallel: reduction + s
            s += of_twenty[i][k];
        sums[i] = s;
    }
    show("twenty", sums, N);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel: private s, private k
        int s = 0;
        for (int k = 0; k < 100; k++) // expect: parallel: reduction + s
            s += of_hundred[i][k];
        sums[i] = s;
    }
    show("hundred", sums, N);
    rows_of_a_parameter(N, of_three[0], sums);
    show("of a parameter", sums, N);
}
