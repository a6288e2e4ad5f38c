// options: -fopenmp
// status: 1
// Directives that tell something: `assume` has no effect, `error at(execution)` writes, and ends the program.
#pragma omp begin assumes no_openmp_routines
#include <stdio.h>
#pragma omp end assumes
#pragma omp assumes no_parallelism holds(1 + 1 == 2)
#pragma omp nothing

static int half(int n)
{
    int result = 0;
#pragma omp assume holds(n > 0) contains(simd)
    {
        result = n / 2;
    }
#pragma omp nothing
    return result;
}

int main(void)
{
    const char *text = "the second one";
    printf("%d\n", half(8));
    fflush(stdout);
#pragma omp error at(execution) severity(warning)
#pragma omp error at(execution) severity(warning) message(text)
    printf("still here\n");
    fflush(stdout);
#pragma omp error at(execution) message("the last one")
    printf("not here\n");
    return 0;
}
