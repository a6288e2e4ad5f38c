// A variable that doubles.
#include "show.h"
#define N 20
static int a[N];

int main(void)
{
    int k = 1;
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: sequential: scan k
        a[i] = k + i;
        k *= 2;
    }
    show("a", a, N);
}
