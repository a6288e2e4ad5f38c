// What looks like a sum and is none.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    int s = 1, t = 1, u = 1, v = 0;
    fill(a, N, 79);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: sequential: scalar s
            s = a[i] - s;
        for (int i = 0; i < N; i++) { // expect: sequential: scalar t
            t += a[i];
            t = t * 3 % 1000;
        }
        for (int i = 0; i < N; i++) // expect: sequential: scalar u
            if (u % 3 != 0)
                u += a[i];
            else
                u++;
        for (int i = 0; i < N; i++) { // expect: sequential: scan v
            v += a[i];
            b[i] = v;
        }
    }
    printf("%d %d %d %d\n", s, t, u, v);
    show("b", b, N);
}
