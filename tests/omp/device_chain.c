// options: -fopenmp
// Target tasks in a row on data that stays on the device.
#include <stdio.h>

enum { N = 256 };

int main(void)
{
    static int a[N];
#pragma omp target enter data map(to : a) nowait depend(out : a)
    for (int step = 0; step < 4; step++) {
#pragma omp target teams distribute parallel for nowait depend(inout : a)
        for (int i = 0; i < N; i++)
            a[i] = 3 * a[i] + i;
#pragma omp target teams distribute parallel for nowait depend(inout : a)
        for (int i = 0; i < N; i++)
            a[i] = a[i] % 1009 + step;
    }
#pragma omp target update from(a) nowait depend(in : a)
#pragma omp taskwait
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i];
    printf("%ld\n", sum);
#pragma omp target exit data map(delete : a)
    return 0;
}
