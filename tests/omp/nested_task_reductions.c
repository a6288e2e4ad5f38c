// options: -fopenmp
// Tasks take part in a reduction while the task or thread that created them is changing its own copy:
// nothing that either of them adds is lost, whoever executes them, and also where a function finds the
// copy by its address.
#include <stdio.h>

enum { ROUNDS = 60 };

static void descend(int *sum, int depth)
{
#pragma omp task in_reduction(+ : sum[0])
    {
        sum[0] += depth;
        if (depth > 0) {
            descend(sum, depth - 1);
            sum[0] += 1;
            descend(sum, depth - 1);
            sum[0] += 1;
        }
    }
}

static void add_all(int *cells, int n)
{
    for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : cells[0 : n])
        cells[i] += i + 1;
    }
}

// omp_orig is the object that the task group names, not a copy of a task around.
static int group;
static int starts_wrong;

static void begin(int *copy, int *original)
{
    if (original != &group) {
#pragma omp atomic
        starts_wrong++;
    }
    *copy = 0;
}
#pragma omp declare reduction(checked : int : omp_out += omp_in) initializer(begin(&omp_priv, &omp_orig))

int main(void)
{
    int wrong[7] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        int of_loop = 0, of_sections = 0, of_parallel = 0, nested = 0, threads = 0, inner = 0, outer = 0;
        int cells[5] = {0};
#pragma omp parallel
#pragma omp for reduction(task, + : of_loop)
        for (int i = 0; i < 40; i++) {
            of_loop += 1;
#pragma omp task in_reduction(+ : of_loop)
            of_loop += i;
            of_loop += 1;
        }
        wrong[0] += of_loop != 860;
#pragma omp parallel
#pragma omp sections reduction(task, + : of_sections)
        {
#pragma omp section
            for (int i = 0; i < 40; i++) {
                of_sections += 1;
#pragma omp task in_reduction(+ : of_sections)
                of_sections += i;
            }
        }
        wrong[1] += of_sections != 820;
#pragma omp parallel reduction(task, + : of_parallel, cells) reduction(+ : threads)
        {
            threads += 1;
            for (int i = 0; i < 10; i++) {
                add_all(cells, 5);
                cells[4] += 1;
#pragma omp task in_reduction(+ : of_parallel)
                {
                    of_parallel += 1;
#pragma omp task in_reduction(+ : of_parallel)
                    of_parallel += 10;
                    of_parallel += 1;
                }
                of_parallel += 1;
            }
        }
        wrong[2] += of_parallel != 130 * threads;
        wrong[3] += cells[0] != 10 * threads || cells[3] != 40 * threads || cells[4] != 60 * threads;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : nested)
        descend(&nested, 5);
        // Each of 63 tasks adds its depth, and each of 31 with tasks of its own 2 more.
        wrong[4] += nested != 1 * 5 + 2 * 4 + 4 * 3 + 8 * 2 + 16 * 1 + 2 * 31;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : outer)
        {
#pragma omp task in_reduction(+ : outer)
            {
                outer = 1;
                // A reduction of its own, whose result the task sees when it is over.
#pragma omp taskgroup task_reduction(+ : outer)
                for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : outer)
                    outer += i;
                }
                inner = outer;
            }
        }
        wrong[5] += inner != 191 || outer != 191;
        group = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(checked : group)
        {
#pragma omp task in_reduction(checked : group)
            {
                group += 1;
#pragma omp task in_reduction(checked : group)
                group += 2;
            }
        }
        wrong[6] += group != 3;
    }
    for (int i = 0; i < 7; i++)
        printf("%d ", wrong[i]);
    printf("%d\n", starts_wrong);
    return 0;
}
