// Executes the golden case of loops over gangs that all threads share. In a gang of one's own there are as many
// of each number as the gang has had.
// also: --gangs 3
#include <stdio.h>

#include "../../golden/cases/ptx/filled.c"

enum { N = 700 };

int main(void)
{
    static float x[N], y[N], z[N], w[N];
    for (int i = 0; i < N; i++)
        x[i] = i % 50;
#pragma acc data copyin(x) copyout(y, z, w)
    {
        gangs(N, x, y);
        lanes(N, x, z);
        own(N, w);
    }
    int numbers[N], lock = 0, sum = 0, wrong = N * (N - 1) / 2;
    for (int i = 0; i < N; i++)
        numbers[i] = i;
#pragma acc data copyin(numbers) copy(lock, sum)
    locked(N, numbers, &lock, &sum);
    wrong -= sum;
    for (int i = 0; i < N; i++)
        wrong += (y[i] != 2 * x[i]) + (z[i] != y[i]) + !(w[i] >= (i & 3) && w[i] < N);
    printf("%d %g\n", wrong, y[N - 1]);
    return wrong != 0;
}
