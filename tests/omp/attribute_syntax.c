// options: -fopenmp
// Directives in the syntax of attributes: one, sequences, among other attributes, as bodies of statements.
#include <stdio.h>

#define N 1000
#define SHARED omp::directive(parallel for, num_threads(3) reduction(+ : sum))

static int counter;
[[omp::directive(threadprivate(counter))]];

[[omp::directive(declare target)]];
static int doubled(int x) { return 2 * x; }
[[omp::directive(end declare target)]];

int main(void) {
    int a[N], b[N], sum = 0, late = 0, tasks = 0;
    [[SHARED]]
    for (int i = 0; i < N; i++)
        sum += i;
    [[omp::sequence(directive(parallel), directive(for schedule(static, 7)))]]
    for (int i = 0; i < N; i++)
        a[i] = doubled(i);
    [[omp::sequence(omp::directive(target map(from : b)), omp::directive(teams distribute parallel for))]]
    for (int i = 0; i < N; i++)
        b[i] = doubled(doubled(i));
    [[omp::directive(parallel)]]
    {
        if (sum)
            [[omp::directive(barrier)]];
        else
            [[omp::directive(taskyield)]];
        [[gnu::unused, omp::directive(single)]]
        {
            late = a[N - 1];
            for (int i = 0; i < 8; i++) {
                [[omp::directive(task, shared(tasks))]]
                {
                    [[omp::directive(atomic update)]]
                    tasks += i;
                }
            }
            [[omp::directive(taskwait)]];
        }
    }
    counter = 4;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += a[i] != 2 * i || b[i] != 4 * i;
    printf("%d %d %d %d %d\n", sum, late, tasks, wrong, counter);
    return 0;
}
