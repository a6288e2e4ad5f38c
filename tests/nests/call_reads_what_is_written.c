// A function reads the array that the loop writes.
#include "show.h"
#define N 200
static int a[N];

__attribute__((noinline)) static int before(int i)
{
    return a[i - 1];
}

int main(void)
{
    fill(a, N, 94);
#pragma acc kernels copy(a)
    for (int i = 1; i < N; i++) // expect: sequential: carried a, distance 1
        a[i] = before(i) + 1;
    show("a", a, N);
}
