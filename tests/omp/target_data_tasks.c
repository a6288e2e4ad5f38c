// options: -fopenmp
// `enter data`, `exit data` and `update` as target tasks with dependences, and kernels between.
#include <stdio.h>
#include <stdlib.h>

enum { N = 128, PARTS = 4 };

int main(void)
{
    int *v = malloc(N * sizeof *v), seen = 0, wrong = 0;
    for (int i = 0; i < N; i++)
        v[i] = i;
#pragma omp parallel
#pragma omp single
    {
#pragma omp target enter data map(to : v[0 : N]) nowait depend(out : v[0])
        for (int step = 0; step < 5; step++) {
#pragma omp target teams distribute parallel for nowait depend(inout : v[0]) map(to : v[0 : N])
            for (int i = 0; i < N; i++)
                v[i] += i % 3;
        }
#pragma omp target update from(v[0 : N]) nowait depend(inout : v[0])
#pragma omp task depend(inout : v[0]) shared(seen) firstprivate(v)
        {
            for (int i = 0; i < N; i++)
                seen += v[i];
            v[0] = 500;
        }
#pragma omp target update to(v[0 : 1]) nowait depend(inout : v[0])
#pragma omp target nowait depend(inout : v[0]) map(to : v[0 : N])
        v[1] = v[0] + 1;
#pragma omp target exit data map(from : v[0 : N]) nowait depend(inout : v[0])
#pragma omp taskwait depend(in : v[0])
        printf("%d %d %d\n", seen, v[0], v[1]);
    }

    // Parts that are independent of each other.
    for (int part = 0; part < PARTS; part++) {
        int *from = v + part * (N / PARTS);
#pragma omp target enter data map(to : from[0 : N / PARTS]) nowait depend(out : from[0])
#pragma omp target nowait depend(inout : from[0]) map(to : from[0 : N / PARTS]) firstprivate(part)
        for (int i = 0; i < N / PARTS; i++)
            from[i] = 100 * part + i;
#pragma omp target exit data map(from : from[0 : N / PARTS]) nowait depend(inout : from[0])
    }
#pragma omp taskwait
    for (int i = 0; i < N; i++)
        wrong += v[i] != 100 * (i / (N / PARTS)) + i % (N / PARTS);
    printf("wrong %d\n", wrong);
    free(v);
    return 0;
}
