// Several reductions at once, on different queues and from different host threads.
// options: -lpthread
// also: --gangs 3
#include <pthread.h>
#include <stdio.h>

enum { N = 30000, QUEUES = 4, THREADS = 4 };
static int a[N];

static void *work(void *argument)
{
    long *result = argument;
    for (int repeat = 0; repeat < 5; repeat++) {
        long sum[QUEUES] = {1, 2, 3, 4}, s0 = 1, s1 = 2, s2 = 3, s3 = 4;
#pragma acc parallel loop async(1) reduction(+:s0) copy(s0) present(a)
        for (int i = 0; i < N; i++)
            s0 += a[i];
#pragma acc parallel loop async(2) reduction(max:s1) copy(s1) present(a)
        for (int i = 0; i < N; i++)
            s1 = s1 > a[i] ? s1 : a[i];
#pragma acc parallel loop async(3) reduction(^:s2) copy(s2) present(a)
        for (int i = 0; i < N; i++)
            s2 ^= a[i];
#pragma acc parallel loop async(4) reduction(+:s3) copy(s3) present(a)
        for (int i = 0; i < N; i++)
            s3 += 2 * a[i];
#pragma acc wait
        sum[0] = s0, sum[1] = s1, sum[2] = s2, sum[3] = s3;
        for (int q = 0; q < QUEUES; q++)
            result[q] += sum[q];
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    long results[THREADS][QUEUES] = {{0}}, total = 0, largest = 0, mixed = 3;
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        a[i] = i * 7919 % 10007;
        total += a[i];
        largest = a[i] > largest ? a[i] : largest;
        mixed ^= a[i];
    }
#pragma acc enter data copyin(a)
    for (int t = 0; t < THREADS; t++)
        if (pthread_create(&threads[t], 0, work, results[t]))
            return 2;
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], 0);
#pragma acc exit data delete(a)
    for (int t = 0; t < THREADS; t++)
        wrong += (results[t][0] != 5 * (total + 1)) + (results[t][1] != 5 * largest) + (results[t][2] != 5 * mixed)
            + (results[t][3] != 5 * (2 * total + 4));
    if (wrong)
        printf("%d wrong\n", wrong);
    return wrong != 0;
}
