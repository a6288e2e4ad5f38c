// options: -fopenmp
// A target task depends on another one whose end the host has heard of by then: it has waited for a task
// between them.
#include <stdio.h>

enum { N = 256 };

int main(void)
{
    int a[N], b[N], factor = 0;
    for (int i = 0; i < N; i++)
        b[i] = i;
#pragma omp target data map(tofrom : b)
    {
#pragma omp target nowait map(from : a) depend(out : a, b)
        for (int i = 0; i < N; i++) {
            a[i] = i + 1;
            b[i] += 2;
        }
#pragma omp task shared(a, factor) depend(in : a) depend(out : factor)
        factor = a[N / 2];
#pragma omp taskwait depend(in : factor)
#pragma omp target nowait depend(inout : b) map(to : factor)
        for (int i = 0; i < N; i++)
            b[i] *= factor;
#pragma omp target nowait depend(inout : b)
        for (int i = 0; i < N; i++)
            b[i] += i;
#pragma omp taskwait
    }
    printf("%d, %d %d\n", factor, b[0], b[N - 1]);
    return 0;
}
