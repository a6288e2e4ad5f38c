// Two independent pipelines on two queues: the work of a queue is in order, the queues overlap, `wait` joins them.
#include <stdio.h>

enum { N = 20000 };
static int even[N], odd[N];

int main(void)
{
    long sum_even = 0, sum_odd = 0, both = 0;

#pragma acc data create(even, odd)
    {
#pragma acc parallel loop async(1) present(even)
        for (int i = 0; i < N; i++)
            even[i] = 2 * i;
#pragma acc parallel loop async(2) present(odd)
        for (int i = 0; i < N; i++)
            odd[i] = 2 * i + 1;
#pragma acc parallel loop async(1) present(even) copy(sum_even) reduction(+:sum_even)
        for (int i = 0; i < N; i++)
            sum_even += even[i];
#pragma acc parallel loop async(2) present(odd) copy(sum_odd) reduction(+:sum_odd)
        for (int i = 0; i < N; i++)
            sum_odd += odd[i];

        // Queue 3 starts when both others are done.
#pragma acc wait(1, 2) async(3)
#pragma acc parallel loop async(3) present(even, odd) copy(both) reduction(+:both)
        for (int i = 0; i < N; i++)
            both += even[i] + odd[i];
#pragma acc wait
    }
    printf("even %ld, odd %ld, both %ld\n", sum_even, sum_odd, both);
    return 0;
}
