// options: -fopenmp
// `taskloop` with `grainsize`, `num_tasks`, `strict`, `nogroup`, `collapse`, reductions and last values.
#include <stdio.h>

enum { N = 103 };
static int times[N];

static int wrong(void)
{
    int bad = 0;
    for (int i = 0; i < N; i++) {
        bad += times[i] != 1;
        times[i] = 0;
    }
    return bad;
}

int main(void)
{
    int bad = 0, last = -1, tasks = 0, grid[6][5] = { { 0 } };
    long sum = 0, base = 1000;
    int i, n = N;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop
        for (int k = 0; k < N; k++)
            times[k]++;
        bad += wrong();
#pragma omp taskloop grainsize(10)
        for (int k = N - 1; k >= 0; k--)
            times[k]++;
        bad += wrong();
#pragma omp taskloop num_tasks(7)
        for (unsigned k = 0; k < N; k++)
            times[k]++;
        bad += wrong();
#pragma omp taskloop grainsize(strict : 4)
        for (int k = 0; k != N; k++)
            times[k]++;
        bad += wrong();
#pragma omp taskloop num_tasks(strict : n / 10) if(0)
        for (int k = 0; k < N; k += 1)
            times[k]++;
        bad += wrong();
#pragma omp taskloop nogroup firstprivate(base) untied
        for (int k = 0; k < N; k++) {
            times[k]++;
            base++;
        }
#pragma omp taskwait
        bad += wrong() + (base != 1000);
#pragma omp taskloop collapse(2) shared(grid) num_tasks(4)
        for (int k = 0; k < 6; k++)
            for (int l = 4; l >= 0; l--)
                grid[k][l] += 10 * k + l;
#pragma omp taskloop reduction(+ : sum) lastprivate(i, last) priority(1)
        for (i = 0; i < N; i++) {
            sum += i;
            last = i * 2;
        }
#pragma omp taskgroup task_reduction(+ : tasks)
        {
#pragma omp taskloop in_reduction(+ : tasks) nogroup
            for (int k = 0; k < N; k++)
                tasks++;
        }
#pragma omp taskloop
        for (int k = 3; k < 3; k++)
            bad += 1;
#pragma omp taskloop simd
        for (int k = 0; k < N; k++)
            times[k]++;
        bad += wrong();
    }
    int of_grid = 0;
    for (int k = 0; k < 30; k++)
        of_grid += (k + 1) * grid[k / 5][k % 5];
    printf("wrong %d sum %ld last %d i %d tasks %d grid %d\n", bad, sum, last, i, tasks, of_grid);

    long combined = 0;
#pragma omp parallel masked taskloop reduction(+ : combined)
    for (int k = 0; k < N; k++)
        combined += k;
    long more = 0;
#pragma omp parallel master taskloop grainsize(5) reduction(+ : more)
    for (int k = 0; k < N; k++)
        more += k;
    printf("%ld %ld\n", combined, more);
    return 0;
}
