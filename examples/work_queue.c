// A queue of tasks of different sizes: one worker of a gang takes the next task, the others are told which it is, and then all of
// its lanes work on it. What is between the loops is executed once per gang: worker-single and vector-single mode.
#include <stdio.h>

enum { TASKS = 200, MOST = 600 };

static int size_of(int task) { return task * 37 % MOST + 1; }

int main(void)
{
    static int sizes[TASKS];
    static long results[TASKS];
    int next = 0, served = 0;
    for (int t = 0; t < TASKS; t++)
        sizes[t] = size_of(t);
#pragma acc parallel num_gangs(16) num_workers(4) vector_length(32) copyin(sizes) copyout(results) copy(next, served)
    {
        int task;
        do {
#pragma acc atomic capture
            task = next++;
            if (task < TASKS) {
                int n = sizes[task];
                long sum = 0;
#pragma acc loop worker vector reduction(+ : sum)
                for (int i = 0; i < n; i++)
                    sum += (long)i * i + task;
                results[task] = sum;
#pragma acc atomic update
                served++;
            }
        } while (task < TASKS);
    }
    long total = 0;
    for (int t = 0; t < TASKS; t++)
        total += results[t];
    printf("%d tasks, %ld\n", served, total);
    return 0;
}
