// A scalar holds what the iteration before has read.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    int before = 7;
    fill(a, N, 54);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: sequential: scalar before
        b[i] = a[i] - before;
        before = a[i];
    }
    show("b", b, N);
    printf("%d\n", before);
}
