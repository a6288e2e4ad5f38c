// What the host reads before it waits is what it was; behind the wait, and a question that was answered, the
// device's results are there.
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    int a[8] = {0}, given = 5, rounds = 0;
#pragma acc enter data copyin(a)
#pragma acc parallel loop async(1) present(a) firstprivate(given)
    for (int i = 0; i < 8; i++)
        a[i] = given + i;
    given = 100;
#pragma acc update self(a) async(1)
    printf("before the wait: %d %d\n", a[0], a[7]);
#pragma acc wait(1)
    printf("behind the wait: %d %d\n", a[0], a[7]);
#pragma acc parallel loop async(2) present(a)
    for (int i = 0; i < 8; i++)
        a[i] *= 2;
#pragma acc update self(a) async(2)
    while (!acc_async_test(2))
        rounds++;
    printf("behind the question: %d %d, asked more than once: %d\n", a[0], a[7], rounds > 0);
    // A copy to the device reads the host's memory when the queue comes to it.
    a[0] = 1;
#pragma acc update device(a[0:1]) async(3)
    a[0] = 2;
#pragma acc wait(3)
    a[0] = 0;
#pragma acc exit data copyout(a)
    printf("changed before the wait: %d\n", a[0]);
    return 0;
}
