// A loop made of a label and a jump is not analysed.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    int i = 0;
    fill(b, N, 71);
#pragma acc kernels
    {
    again:
        a[i] = b[i] * 5;
        i++;
        if (i < N)
            goto again; // expect: sequential: cycle
    }
    show("a", a, N);
    printf("%d\n", i);
}
