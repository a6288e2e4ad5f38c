// `auto` in `parallel` asks the same question, but only clauses say what is reduced.
#include "show.h"
#define N 200
static int a[N], b[N], sums[8], rows[8][8];

int main(void)
{
    int s = 0;
    fill(a, N, 113);
    fill(b, N, 114);
    fill(rows[0], 64, 115);
#pragma acc parallel num_gangs(1) copy(a, b, s)
    {
#pragma acc loop auto
        for (int i = 0; i < N; i++) // expect: parallel
            a[i] = b[i] + 1;
#pragma acc loop auto
        for (int i = 1; i < N; i++) // expect: sequential: carried b, distance 1
            b[i] = b[i - 1] + a[i];
#pragma acc loop auto reduction(+ : s)
        for (int i = 0; i < N; i++) // expect: parallel
            s += a[i];
    }
#pragma acc parallel loop gang copy(sums, rows)
    for (int i = 0; i < 8; i++) {
        int t = 0, l = 0;
#pragma acc loop auto
        for (int j = 0; j < 8; j++) // expect: sequential: result sums
            sums[i] += rows[i][j];
#pragma acc loop auto
        for (int j = 0; j < 8; j++) // expect: sequential: result t
            t += rows[i][j];
#pragma acc loop auto
        for (int j = 0; j < 8; j++) // expect: sequential: result l, last l
            l = rows[i][j];
        sums[i] += t * l;
    }
    show("sums", sums, 8);
    show("a", a, N);
    show("b", b, N);
    printf("%d\n", s);
}
