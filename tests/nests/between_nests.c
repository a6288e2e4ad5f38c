// Scalars and straight code between the nests of a region.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    int s = 0, mean, above = 0;
    fill(a, N, 108);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel: reduction + s
            s += a[i];
        mean = s / N;
        a[0] = mean;
        for (int i = 0; i < N; i++) // expect: parallel
            b[i] = a[i] - mean;
        for (int i = 0; i < N; i++) // expect: parallel: reduction + above
            if (b[i] > 0)
                above++;
        b[above] = 1;
    }
    show("b", b, N);
    printf("%d %d %d\n", s, mean, above);
}
