// options: -fopenmp
// `iterator`: ranges with steps and types, two iterators, ranges that are empty or known at run time only.
#include <stdio.h>

enum { N = 12 };

int main(void)
{
    int v[N] = { 0 }, grid[3][4] = { { 0 } }, total = 0, part = 0, even = 0, back = 0, n = N;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < N; i++) {
#pragma omp task depend(out : v[i]) shared(v) firstprivate(i)
            v[i] = i * i;
        }
#pragma omp task depend(iterator(k = 0 : n), in : v[k]) shared(v, total)
        for (int i = 0; i < N; i++)
            total += v[i];
#pragma omp task depend(iterator(long k = 0 : n : 2), in : v[k]) shared(v, even)
        for (int i = 0; i < N; i += 2)
            even += v[i];
#pragma omp task depend(iterator(int k = N - 1 : 5 : -3), inout : v[k]) shared(v, back)
        for (int i = N - 1; i > 5; i -= 3)
            back += v[i]++;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++) {
#pragma omp task depend(out : grid[i][j]) shared(grid) firstprivate(i, j)
                grid[i][j] = 10 * i + j;
            }
#pragma omp task depend(iterator(i = 0 : 3, j = 1 : 4), in : grid[i][j]) shared(grid, part)
        for (int i = 0; i < 3; i++)
            for (int j = 1; j < 4; j++)
                part += grid[i][j];
#pragma omp task depend(iterator(k = 4 : 4), inout : v[k])
        ;
#pragma omp taskwait depend(iterator(k = 0 : N), in : v[k])
        printf("%d %d\n", v[11], v[8]);
    }
    printf("%d %d %d %d\n", total, part, even, back);
    return 0;
}
