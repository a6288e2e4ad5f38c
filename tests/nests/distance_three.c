// The smallest distance is neither one nor that of the first pair.
#include "show.h"
#define N 200
static int a[N];

int main(void)
{
    fill(a, N, 12);
#pragma acc kernels
    for (int i = 7; i < N; i++) // expect: sequential: carried a, distance 3
        a[i] = a[i - 7] + a[i - 3];
    show("a", a, N);
}
