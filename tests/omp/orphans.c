// options: -fopenmp
// Worksharing, `single`, `sections`, barriers and tasks in functions, with a team around and without one.
#include <omp.h>
#include <stdio.h>

static int cells[32], singles;

static void fill(int factor)
{
#pragma omp for schedule(dynamic, 4)
    for (int i = 0; i < 32; i++)
        cells[i] = factor * i;
}

static int sum(void)
{
    static int total;
#pragma omp single
    total = 0;
#pragma omp for reduction(+ : total)
    for (int i = 0; i < 32; i++)
        total += cells[i];
    return total;
}

static void count(void)
{
#pragma omp single nowait
    {
#pragma omp atomic
        singles++;
    }
}

// Every level of the recursion shares a loop.
static void descend(int depth, int *visits)
{
    if (depth == 0)
        return;
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < depth; i++) {
#pragma omp atomic
        *visits += i + 1;
    }
    count();
    descend(depth - 1, visits);
#pragma omp barrier
}

static long walk(int from, int to)
{
    if (to - from < 4) {
        long product = 0;
        for (int i = from; i < to; i++)
            product += (long)i * i;
        return product;
    }
    long left, right;
    int middle = (from + to) / 2;
#pragma omp task shared(left)
    left = walk(from, middle);
    right = walk(middle, to);
#pragma omp taskwait
    return left + right;
}

int main(void)
{
    int wrong = 0, visits = 0;
    fill(2);
    printf("alone %d\n", sum());
#pragma omp parallel reduction(+ : wrong)
    {
        fill(3);
        int all = sum();
        wrong += all != 3 * 496;
        for (int i = 0; i < 10; i++)
            count();
        descend(5, &visits);
    }
    printf("wrong %d singles %d visits %d\n", wrong, singles, visits);
    long squares = 0;
#pragma omp parallel
#pragma omp single
    squares = walk(0, 200);
    printf("%ld %ld\n", squares, walk(0, 100));
    return 0;
}
