// options: -fopenmp
// Teams inside of tasks, tasks inside of worksharing loops, and a barrier that completes them.
#include <stdio.h>

int main(void)
{
    int cells[16] = { 0 }, sums[4] = { 0 }, total = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < 16; i++) {
#pragma omp task shared(cells)
            cells[i] = i + 1;
        }
        // The loop's barrier has completed the tasks.
#pragma omp for reduction(+ : total) nowait
        for (int i = 0; i < 16; i++)
            total += cells[i];
#pragma omp single
        for (int part = 0; part < 4; part++) {
#pragma omp task shared(sums, cells)
            {
                int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
                for (int i = 4 * part; i < 4 * part + 4; i++)
                    sum += cells[i];
                sums[part] = sum;
            }
        }
    }
    printf("%d; %d %d %d %d\n", total, sums[0], sums[1], sums[2], sums[3]);
    return 0;
}
