// A loop with `auto` counts, and so does what else goes up in step.
#include "show.h"
#define N 200
static int a[N];

int main(void)
{
    int k = 0;
#pragma acc kernels
#pragma acc loop auto
    for (int i = 0; i < N / 2; i++) { // expect: parallel
        a[k] = i + 1;
        k += 2;
    }
    show("a", a, N);
    printf("%d\n", k);
}
