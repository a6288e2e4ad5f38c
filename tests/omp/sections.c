// options: -fopenmp
// `sections` with every clause, alone and combined, more and fewer sections than threads.
#include <stdio.h>

static int calls[6];

static void orphan(void)
{
#pragma omp sections nowait
    {
#pragma omp section
        calls[4] += 1;
#pragma omp section
        calls[5] += 2;
    }
}

int main(void)
{
    int base = 10, last = -1, sum = 0, scratch = 0;
#pragma omp parallel sections firstprivate(base) lastprivate(last) reduction(+ : sum) private(scratch)
    {
        {
            scratch = base + 1;
            last = 1;
            sum += scratch;
        }
#pragma omp section
        {
            scratch = base + 2;
            last = 2;
            sum += scratch;
        }
#pragma omp section
        {
            last = 3;
            sum += base;
        }
    }
    printf("%d %d %d %d\n", base, last, sum, scratch);
#pragma omp parallel num_threads(2)
    {
#pragma omp sections
        {
#pragma omp section
            calls[0]++;
#pragma omp section
            calls[1]++;
#pragma omp section
            calls[2]++;
#pragma omp section
            calls[3]++;
        }
        orphan();
    }
    for (int i = 0; i < 6; i++)
        printf(" %d", calls[i]);
    puts("");
    orphan();
    printf("%d %d\n", calls[4], calls[5]);
    return 0;
}
