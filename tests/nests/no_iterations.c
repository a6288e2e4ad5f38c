// Loops that are not executed at all leave everything as it was.
#include "show.h"
#define N 100
static int a[N], b[N];

static void nothing(int n, int m)
{
    int s = 3, t = 4, i = 5;
#pragma acc kernels
    {
        for (i = m; i < n; i++) { // expect: parallel: last t, reduction + s
            t = b[i];
            s += t;
            a[i] = t + 1;
        }
    }
    printf("%d %d %d\n", s, t, i);
}

int main(void)
{
    fill(a, N, 120);
    fill(b, N, 121);
    nothing(0, 0);
    nothing(-3, 7);
    nothing(N, N - 1);
    show("a", a, N);
}
