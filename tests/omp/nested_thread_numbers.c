// options: -fopenmp
// A `parallel` in a loop of several threads has one: its thread has the number 0, and asks for the others one level up.
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int numbers = 0, counts = 0, actives = 0, outer = 0;
#pragma omp target parallel for reduction(+ : numbers, counts, actives, outer) map(tofrom : numbers, counts, actives, outer)
    for (int i = 0; i < 100; i++) {
        int me = omp_get_thread_num();
#pragma omp parallel for num_threads(1) reduction(+ : numbers, counts, actives, outer)
        for (int j = 0; j < 3; j++) {
            numbers += omp_get_thread_num();
            counts += omp_get_num_threads();
            actives += omp_in_parallel();
            outer += omp_get_ancestor_thread_num(1) == me;
        }
#pragma omp parallel num_threads(1)
        {
            numbers += omp_get_thread_num();
            counts += omp_get_num_threads();
            actives += omp_in_parallel();
            outer += omp_get_ancestor_thread_num(1) == me && omp_get_ancestor_thread_num(2) == 0;
        }
    }
    printf("%d %d %d %d\n", numbers, counts, actives, outer);
}
