// options: -fopenmp
// Many tasks that tasks create, with waits of every kind around them: what is executed at once and what is left
// to others must not show.
#include <stdio.h>

static long executed;

static void walk(int depth)
{
#pragma omp atomic
    executed++;
    for (int k = 0; depth > 0 && k < 3; k++) {
#pragma omp task
        walk(depth - 1);
    }
}

static long count(int depth)
{
    long below[3] = { 0, 0, 0 };
    for (int k = 0; depth > 0 && k < 3; k++) {
#pragma omp task shared(below) firstprivate(k)
        below[k] = count(depth - 1);
    }
#pragma omp taskwait
    return 1 + below[0] + below[1] + below[2];
}

static long reduced(int depth)
{
    long n = 1;
#pragma omp taskgroup task_reduction(+ : n)
    for (int k = 0; depth > 0 && k < 3; k++) {
#pragma omp task in_reduction(+ : n)
        n += reduced(depth - 1);
    }
    return n;
}

/* Children come before their parents go on, whoever executes them. */
static void chained(int depth, int *order, int *next)
{
    int link = 0;
    for (int k = 0; k < 4; k++) {
#pragma omp task depend(inout : link) shared(link) firstprivate(k)
        {
            if (depth > 0)
                chained(depth - 1, order, next);
            link = link * 2 + k;
        }
    }
#pragma omp taskwait
    order[(*next)++] = depth * 100 + link;
}

int main(void)
{
    long counted = 0, sum = 0, wrong = 0;
    int order[64], next = 0;
#pragma omp parallel
#pragma omp single
    {
        walk(7);
#pragma omp taskwait
#pragma omp taskgroup
        walk(6);
        // All descendants of the second walk are complete, those of the first need not be.
        counted = count(7);
        sum = reduced(6);
        chained(2, order, &next);
    }
    printf("%ld %ld %ld\n", executed, counted, sum);
    for (int i = 0; i < next; i++)
        wrong += order[i] % 100 != 11;
    printf("%d, wrong %ld\n", next, wrong);

    // Waits of the team's threads, each for its own tasks.
    for (int round = 0; round < 50; round++) {
#pragma omp parallel reduction(+ : wrong)
        {
            int own = 0;
            for (int k = 0; k < 10; k++) {
#pragma omp task shared(own)
                {
#pragma omp atomic
                    own++;
                }
            }
#pragma omp taskwait
            wrong += own != 10;
#pragma omp taskgroup
            for (int k = 0; k < 10; k++) {
#pragma omp task shared(own)
                {
#pragma omp task shared(own)
                    {
#pragma omp atomic
                        own++;
                    }
                }
            }
            wrong += own != 20;
        }
    }
    printf("wrong %ld\n", wrong);
    return 0;
}
