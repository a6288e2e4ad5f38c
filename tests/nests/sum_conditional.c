// Sums and products of some of the elements.
#include "show.h"
#define N 300
static int a[N];

int main(void)
{
    int s = 0, n = 0, t = 0;
    unsigned p = 1;
    fill(a, N, 77);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel: reduction + s, reduction + n
            if (a[i] > 0) {
                s += a[i];
                n++;
            }
        for (int i = 0; i < N; i++) // expect: parallel: reduction + t
            t = a[i] % 2 ? t + a[i] : t;
        for (int i = 0; i < N; i++) // expect: parallel: reduction * p
            if (a[i] % 5 == 1)
                p *= 3u;
    }
    printf("%d %d %d %u\n", s, n, t, p);
}
