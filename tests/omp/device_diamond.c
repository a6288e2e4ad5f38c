// options: -fopenmp
// One task feeds two, which feed a fourth.
#include <stdio.h>

enum { N = 512 };

int main(void)
{
    static double a[N], b[N], c[N], d[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp target enter data map(to : a) map(alloc : b, c, d)
#pragma omp target teams distribute parallel for nowait depend(inout : a)
    for (int i = 0; i < N; i++)
        a[i] += 0.5;
#pragma omp target teams distribute parallel for nowait depend(in : a) depend(out : b)
    for (int i = 0; i < N; i++)
        b[i] = 2 * a[i];
#pragma omp target teams distribute parallel for nowait depend(in : a) depend(out : c)
    for (int i = 0; i < N; i++)
        c[i] = a[i] * a[i];
#pragma omp target teams distribute parallel for nowait depend(in : b, c) depend(out : d)
    for (int i = 0; i < N; i++)
        d[i] = b[i] - c[i];
#pragma omp target exit data map(from : d) nowait depend(inout : d)
#pragma omp taskwait
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += d[i];
    printf("%.1f\n", sum);
#pragma omp target exit data map(delete : a, b, c)
    return 0;
}
