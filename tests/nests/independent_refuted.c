// not run: the directive is wrong, and the result depends on the order of iterations
// `independent` on a loop of which it is not true.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    fill(a, N, 115);
    fill(b, N, 116);
#pragma acc kernels
    {
#pragma acc loop independent // warn: independent-refuted
        for (int i = 1; i < N; i++)
            a[i] = a[i - 1] + 1;
#pragma acc loop independent
        for (int i = 0; i < N; i++)
            b[i] = a[i] + 1;
    }
#pragma acc parallel loop // warn: independent-refuted
    for (int i = 2; i < N; i++)
        b[i] = b[i - 2] + 1;
    show("a", a, N);
    show("b", b, N);
}
