// The arguments of a deferred launch outlive the frame of the function that made it.
// also: --gangs 3
#include <stdio.h>
#include <string.h>

enum { N = 5000, LAUNCHES = 8 };
static int a[LAUNCHES][N];

static void launch(int queue)
{
    int scale = queue * 10 + 1;
    struct {
        int offset, factor;
    } pair = {queue, scale};
#pragma acc parallel loop async(queue) firstprivate(scale, pair) present(a)
    for (int i = 0; i < N; i++)
        a[queue][i] = i * pair.factor + pair.offset + scale;
}

static int clobber(int seed)
{
    volatile char trash[4096];
    memset((char *)trash, seed, sizeof trash);
    return trash[100];
}

int main(void)
{
    int wrong = 0;
#pragma acc data copyout(a)
    {
        for (int q = 0; q < LAUNCHES; q++) {
            launch(q);
            clobber(q);
        }
#pragma acc wait
    }
    for (int q = 0; q < LAUNCHES; q++)
        for (int i = 0; i < N; i++)
            wrong += a[q][i] != i * (q * 10 + 1) + q + (q * 10 + 1);
    if (wrong)
        printf("%d wrong\n", wrong);
    return wrong != 0;
}
