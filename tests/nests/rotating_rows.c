// Two rows take turns: by the parity of the step.
#include "show.h"
#define N 60
static int a[2][N];

int main(void)
{
    fill(a[0], 2 * N, 126);
#pragma acc kernels
    for (int t = 0; t < 5; t++) // expect: sequential: unknown-subscript a
        for (int i = 1; i < N - 1; i++) // expect: parallel
            a[(t + 1) % 2][i] = a[t % 2][i - 1] + a[t % 2][i + 1];
    show("a", a[0], 2 * N);
}
