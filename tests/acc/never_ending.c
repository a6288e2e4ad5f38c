// Constructs that control does not leave, or does not reach.
// also: --gangs 3
#include <stdio.h>
#include <stdlib.h>

static int unreached(int n)
{
    return n;
#pragma acc parallel loop copy(n)
    for (int i = 0; i < 3; i++)
        n = i;
}

static int folded(int n)
{
    if (0) {
#pragma acc parallel num_gangs(1) copy(n)
        n = 0;
    }
    return n;
}

static void stops(void)
{
#pragma acc parallel num_gangs(1)
    {
        printf("done\n");
        fflush(stdout);
        _Exit(0);
    }
}

static void hangs(int n)
{
#pragma acc serial copy(n)
    for (;;)
        n++;
}

static int counts(void)
{
    static int calls = 10;
#pragma acc serial copy(calls)
    {
        static int runs = 5;
        calls += ++runs;
    }
    return calls;
}

int main(int argc, char **argv)
{
    (void)argv;
    printf("%d %d\n", unreached(1), folded(2));
    counts();
    printf("%d\n", counts());
    if (argc > 5)
        hangs(argc);
    stops();
    printf("not reached\n");
    return 1;
}
