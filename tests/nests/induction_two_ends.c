// Two variables that move towards each other bound the loop.
#include "show.h"
#define N 201
static int a[N];

int main(void)
{
    int i, j;
    fill(a, N, 58);
#pragma acc kernels
    for (i = 0, j = N - 1; i < j; i++, j--) { // expect: parallel
        int t = a[i];
        a[i] = a[j] + 1;
        a[j] = t;
    }
    show("a", a, N);
    printf("%d %d\n", i, j);
}
