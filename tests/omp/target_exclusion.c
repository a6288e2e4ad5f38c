// options: -fopenmp
// `mutexinoutset` of target tasks: one at a time, among host tasks too, behind writers and before readers.
#include <stdio.h>

int main(void)
{
    int sum = 0, high = 0, steps = 0, seen = 0;
    int cells[16] = { 0 };
#pragma omp target data map(tofrom : sum, high, cells)
    {
#pragma omp parallel
#pragma omp single
        {
#pragma omp target nowait map(tofrom : sum, high) depend(out : sum, high)
            sum = high = 100;
            for (int i = 0; i < 6; i++) {
#pragma omp target nowait map(tofrom : sum) depend(mutexinoutset : sum)
                sum = sum + i;
#pragma omp task shared(steps) depend(mutexinoutset : sum)
                steps = steps + 1;
                // Two places, one of which others exclude as well.
#pragma omp target nowait map(tofrom : sum, high) depend(mutexinoutset : sum, high)
                {
                    sum = sum + 1;
                    high = high + 1;
                }
#pragma omp target nowait map(tofrom : high) depend(mutexinoutset : high)
                high = high + 2;
            }
#pragma omp target nowait map(tofrom : sum, high, cells) depend(in : sum, high)
            for (int i = 0; i < 16; i++)
                cells[i] = sum + high + i;
#pragma omp task shared(steps, seen) depend(in : sum)
            seen = steps;
        }
    }
    printf("%d %d %d %d %d\n", sum, high, seen, cells[0], cells[15]);
    return 0;
}
