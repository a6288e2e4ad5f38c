// options: -fopenmp
// `omp_all_memory` orders a task with all of its siblings that have dependences, before and behind.
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int a = 0, b = 0, c = 0, sum = 0, later = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : a) shared(a)
        a = 1;
#pragma omp task depend(out : b) shared(b)
        b = 2;
#pragma omp task depend(in : c) shared(c)
        c = 3;
#pragma omp task depend(inout : omp_all_memory) shared(a, b, c, sum)
        sum = a + 10 * b + 100 * c;
#pragma omp task depend(in : a) shared(a, sum, later)
        {
#pragma omp atomic
            later += sum + a;
        }
#pragma omp task depend(in : b) shared(b, sum, later)
        {
#pragma omp atomic
            later += sum + b;
        }
#pragma omp task depend(out : omp_all_memory) shared(a, later)
        a = later * 2;
#pragma omp task depend(inout : a) shared(a)
        a++;
#pragma omp taskwait depend(inout : omp_all_memory)
        printf("%d %d %d\n", sum, later, a);
    }
    return 0;
}
