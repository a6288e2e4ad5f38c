// A function that counts its calls.
#include "show.h"
#define N 200
static int a[N], b[N], calls;

__attribute__((noinline)) static int counted(int x)
{
    calls = calls * 3 + 1;
    return x + calls % 7;
}

int main(void)
{
    fill(b, N, 92);
#pragma acc kernels copy(calls)
    for (int i = 0; i < N; i++) // expect: sequential: call counted
        a[i] = counted(b[i]);
    show("a", a, N);
    printf("%d\n", calls);
}
