// options: -fopenmp
// Target tasks: chains, a diamond, host tasks between, a `taskwait depend` behind.
#include <stdio.h>

enum { N = 64 };

int main(void)
{
    int a[N], b[N], c[N], host = 0, scalar = 3;
    for (int i = 0; i < N; i++)
        a[i] = i, b[i] = c[i] = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int step = 0; step < 10; step++) {
#pragma omp target nowait depend(inout : a) map(tofrom : a)
            for (int i = 0; i < N; i++)
                a[i] = a[i] * 3 % 101 + 1;
        }
#pragma omp target nowait depend(in : a) depend(out : b) map(to : a) map(from : b) firstprivate(scalar)
        for (int i = 0; i < N; i++)
            b[i] = a[i] + scalar;
        // The target task has taken its copy.
        scalar = 1000;
#pragma omp target teams distribute parallel for nowait depend(in : a) depend(out : c) map(to : a) map(from : c)
        for (int i = 0; i < N; i++)
            c[i] = 2 * a[i];
#pragma omp task depend(in : b, c) depend(out : host) shared(b, c, host)
        for (int i = 0; i < N; i++)
            host += b[i] * c[i] % 7;
#pragma omp target nowait depend(inout : host) map(tofrom : host)
        host *= 2;
#pragma omp taskwait depend(in : host)
        printf("host %d\n", host);
#pragma omp target nowait depend(inout : c) map(tofrom : c)
        c[0] = 1;
#pragma omp target if(0) nowait depend(inout : c) map(tofrom : c)
        c[0] += 1;
#pragma omp taskwait
        printf("c %d\n", c[0]);
    }
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += (i + 1L) * (a[i] + b[i] + c[i]);
    printf("%ld %d\n", sum, scalar);

    // Without a team the thread itself waits where it must.
    int x = 0;
#pragma omp target nowait depend(out : x) map(tofrom : x)
    x = 4;
#pragma omp target depend(inout : x) map(tofrom : x)
    x *= 5;
    printf("%d\n", x);
    return 0;
}
