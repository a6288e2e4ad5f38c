// options: -fopenmp
// `lastprivate`, alone and with `firstprivate`, of scalars, structures and arrays; `linear`.
#include <stdio.h>

struct two { int a; double b; };

int main(void)
{
    int x = -1, first = 100, i;
    struct two pair = { 0, 0 };
    int cells[3] = { 7, 7, 7 };
#pragma omp parallel for lastprivate(x, pair, cells, i)
    for (i = 0; i < 30; i++) {
        x = i * i;
        pair.a = i;
        pair.b = i / 2.0;
        for (int k = 0; k < 3; k++)
            cells[k] = i + k;
    }
    printf("%d %d %g %d %d %d %d\n", x, pair.a, pair.b, cells[0], cells[1], cells[2], i);

#pragma omp parallel num_threads(3)
    {
#pragma omp for firstprivate(first) lastprivate(first) schedule(static)
        for (int k = 0; k < 3; k++)
            first += k;
    }
    printf("%d\n", first);

    int untouched = 42;
#pragma omp parallel for lastprivate(untouched) firstprivate(untouched)
    for (int k = 9; k < 9; k++)
        untouched = 0;
    printf("%d\n", untouched);

    int at = 10, wrong = 0;
#pragma omp parallel for linear(at : val, step(3)) reduction(+ : wrong) schedule(dynamic, 4)
    for (int k = 0; k < 20; k++) {
        wrong += at != 10 + 3 * k;
        at += 3;
    }
    printf("%d %d\n", at, wrong);

    double values[20];
    double *p = values;
#pragma omp parallel for linear(p) schedule(static, 3)
    for (int k = 0; k < 20; k++) {
        *p = k * 0.5;
        p++;
    }
    double sum = 0;
    for (int k = 0; k < 20; k++)
        sum += values[k] * (k + 1);
    printf("%g %d\n", sum, (int)(p - values));
    return 0;
}
