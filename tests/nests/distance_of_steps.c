// Distances are iterations, not elements: the loop goes by two.
#include "show.h"
#define N 200
static int a[N];

int main(void)
{
    fill(a, N, 13);
#pragma acc kernels
    {
        for (int i = 4; i < N; i += 2) // expect: sequential: carried a, distance 2
            a[i] = a[i - 4] + 1;
        for (int i = 3; i < N; i += 2) // expect: parallel
            a[i] = a[i - 3] + 1;
    }
    show("a", a, N);
}
