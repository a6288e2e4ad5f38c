// The neighbour on a ring: the index of the iteration before, the last one at first.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    int left = N - 1;
    fill(a, N, 55);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: sequential: scalar left
        b[i] = a[i] + 3 * a[left];
        left = i;
    }
    show("b", b, N);
}
