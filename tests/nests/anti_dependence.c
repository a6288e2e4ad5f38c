// What a later iteration overwrites, an earlier one reads.
#include "show.h"
#define N 200
static int a[N];

int main(void)
{
    fill(a, N, 10);
#pragma acc kernels
    for (int i = 0; i < N - 1; i++) // expect: sequential: carried a, distance 1
        a[i] = a[i + 1] + 1;
    show("a", a, N);
}
