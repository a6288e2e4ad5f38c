// options: -fopenmp
// `task_reduction` and `in_reduction`, nested and through functions; `reduction(task, ...)`.
#include <stdio.h>

static void leaves(int depth, long *sum)
{
    if (depth == 0) {
        *sum += 1;
        return;
    }
}

static long tree(int depth)
{
    long count = 0;
#pragma omp taskgroup task_reduction(+ : count)
    {
        for (int i = 0; i < 3; i++) {
#pragma omp task in_reduction(+ : count) firstprivate(depth)
            {
                if (depth == 0)
                    leaves(0, &count);
                else
                    count += tree(depth - 1);
            }
        }
    }
    return count;
}

int main(void)
{
    long total = 0, outer = 5, inner = 0;
    double product = 1;
    int most = 0, cells[3] = { 0 };
#pragma omp parallel
#pragma omp single
    {
        total = tree(3);
#pragma omp taskgroup task_reduction(+ : outer, cells) task_reduction(* : product) task_reduction(max : most)
        {
            for (int i = 1; i <= 10; i++) {
#pragma omp task in_reduction(+ : outer, cells) in_reduction(* : product) in_reduction(max : most)
                {
                    outer += i;
                    product *= i % 3 == 0 ? 2 : 1;
                    most = i > most ? i : most;
                    cells[i % 3] += i;
#pragma omp taskgroup task_reduction(+ : inner)
                    {
#pragma omp task in_reduction(+ : inner) in_reduction(+ : outer)
                        {
                            inner += 1;
                            outer += 100;
                        }
                    }
                }
            }
        }
    }
    printf("%ld %ld %g %d %d %d %d\n", total, outer, product, most, cells[0], cells[1], cells[2]);

    int sum = 0, of_for = 0;
#pragma omp parallel reduction(task, + : sum)
    {
        sum += 0;
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum)
            sum += i;
        }
    }
#pragma omp parallel
#pragma omp for reduction(task, + : of_for)
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : of_for)
        of_for += i;
        of_for += 100;
    }
    printf("%d %d\n", sum, of_for);
    return 0;
}
