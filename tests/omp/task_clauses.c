// options: -fopenmp
// `if(0)`, `final`, `mergeable`, `untied`, `priority`: what a program can tell.
#include <omp.h>
#include <stdio.h>

static int fib(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) untied final(n < 6) mergeable
    a = fib(n - 1);
#pragma omp task shared(b) if(n > 4) priority(n)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

int main(void)
{
    int order[4] = { 0 }, at = 0, in_final = -1, in_child = -1, after = -1, same = 0, result = 0;
#pragma omp parallel
#pragma omp single
    {
        // Undeferred: done when the construct ends, by the thread itself.
        int me = omp_get_thread_num();
        order[at++] = 1;
#pragma omp task if(0) shared(order, at, same) firstprivate(me)
        {
            order[at++] = 2;
            same = omp_get_thread_num() == me;
        }
        order[at++] = 3;
#pragma omp task if(task : at == 0) shared(order, at)
        order[at++] = 4;
#pragma omp task final(1) shared(in_final, in_child)
        {
            in_final = omp_in_final();
            int value = 0;
            // Children of a final task are executed at once.
#pragma omp task shared(in_child, value)
            {
                in_child = omp_in_final();
                value = 1;
            }
            in_final += 10 * value;
        }
#pragma omp taskwait
#pragma omp task final(0) shared(after)
        after = omp_in_final();
#pragma omp taskwait
        result = fib(15);
    }
    printf("%d %d %d %d, same thread %d\n", order[0], order[1], order[2], order[3], same);
    printf("final %d child %d after %d fib %d\n", in_final, in_child, after, result);

    // An undeferred task waits for its predecessors.
    int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x) shared(x)
        x = 5;
#pragma omp task if(0) depend(in : x) depend(out : y) shared(x, y)
        y = x + 1;
        printf("undeferred %d\n", y);
    }
    return 0;
}
