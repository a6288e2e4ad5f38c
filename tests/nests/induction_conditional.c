// Elements that are kept move together: where to depends on all before.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    int k = 0;
    fill(b, N, 60);
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: sequential: scalar k
        if (b[i] > 0)
            a[k++] = b[i];
    show("a", a, N);
    printf("%d\n", k);
}
