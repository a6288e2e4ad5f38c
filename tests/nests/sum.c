// Sums of several forms.
#include "show.h"
#define N 300
static int a[N];
static double d[N];

int main(void)
{
    int s = 5, t = 0, u = 1000, v = 0;
    double x = 0.5;
    fill(a, N, 76);
    for (int i = 0; i < N; i++)
        d[i] = i % 16;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel: reduction + s
            s += a[i];
        for (int i = 0; i < N; i++) { // expect: parallel: reduction + t
            t = a[i] + t;
            t += 3;
        }
        for (int i = 0; i < N; i++) // expect: parallel: reduction + u
            u -= a[i] + i;
        for (int i = 0; i < N; i++) // expect: parallel: reduction + x
            x = x + d[i] * 2;
        for (int i = 0; i < N; i++) // expect: parallel
            v++;
    }
    printf("%d %d %d %g %d\n", s, t, u, x, v);
}
