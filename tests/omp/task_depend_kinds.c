// options: -fopenmp
// `in`, `out` and `inout`: readers between writers, in any number, each kind of place.
#include <stdio.h>

enum { N = 40 };

int main(void)
{
    int x = 0, seen[N], cells[4] = { 0 }, wrong = 0;
    struct { int a, b; } pair = { 0, 0 };
    int *p = &cells[2];
#pragma omp parallel
#pragma omp single
    {
        for (int round = 0; round < N / 4; round++) {
#pragma omp task depend(out : x) shared(x) firstprivate(round)
            x = round * 10;
            for (int k = 0; k < 4; k++) {
#pragma omp task depend(in : x) shared(x, seen) firstprivate(round, k)
                seen[4 * round + k] = x + k;
            }
#pragma omp task depend(inout : x) shared(x, wrong) firstprivate(round)
            {
                wrong += x != round * 10;
                x += 5;
            }
#pragma omp task depend(in : x) shared(x, wrong) firstprivate(round)
            {
                int bad = x != round * 10 + 5;
#pragma omp atomic
                wrong += bad;
            }
        }
#pragma omp task depend(out : cells[1]) shared(cells)
        cells[1] = 11;
#pragma omp task depend(out : *p) shared(cells) firstprivate(p)
        *p = 22;
#pragma omp task depend(in : cells[1], cells[2]) depend(out : cells[3]) shared(cells)
        cells[3] = cells[1] + cells[2];
#pragma omp task depend(out : pair.b) shared(pair)
        pair.b = 4;
#pragma omp task depend(in : cells[3 : 1], pair.b) depend(out : pair.a) shared(cells, pair)
        pair.a = cells[3] * pair.b;
    }
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += (i + 1L) * seen[i];
    printf("%ld wrong %d; %d %d\n", sum, wrong, cells[3], pair.a);
    return 0;
}
