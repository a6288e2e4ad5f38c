// options: -fopenmp OMP_MAX_TASK_PRIORITY=2
// Target tasks with priorities: chains that change between urgent and other queues, and meet.
#include <stdio.h>

enum { N = 64, STEPS = 6 };

int main(void)
{
    static int a[N], b[N], c[N];
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i;
#pragma omp target enter data map(to : a, b) map(alloc : c) nowait priority(1) depend(out : a, b, c)
    for (int step = 0; step < STEPS; step++) {
#pragma omp target teams distribute parallel for nowait priority(step % 3) depend(inout : a)
        for (int i = 0; i < N; i++)
            a[i] = a[i] * 3 % 101 + step;
#pragma omp target teams distribute parallel for nowait depend(in : a) depend(inout : b)
        for (int i = 0; i < N; i++)
            b[i] = (b[i] + a[N - 1 - i]) % 97;
    }
#pragma omp target teams distribute parallel for nowait priority(2) depend(in : a, b) depend(out : c)
    for (int i = 0; i < N; i++)
        c[i] = a[i] * 100 + b[i];
#pragma omp target exit data map(from : c) map(delete : a, b) nowait priority(2) depend(inout : a, b, c)
#pragma omp taskwait
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum = (sum * 7 + c[i]) % 1000003;
    printf("%d %d %d\n", c[0], c[N - 1], sum);
    return 0;
}
