// options: -fopenmp
// An `ordered` block in a function that the iterations call is executed in their order, under every
// schedule, by iterations that call it and not by those that do not; outside of such loops it is just
// executed.
#include <stdio.h>

enum { N = 60 };
static int order[N], length;

static void append(int i)
{
#pragma omp ordered
    order[length++] = i;
}

static void through(int i)
{
    if (i % 3 != 1)
        append(i);
}

static void shared_loop(void)
{
#pragma omp for ordered schedule(dynamic, 2)
    for (int i = 0; i < N; i++)
        through(i);
}

static void check(const char *name)
{
    int bad = 0;
    for (int i = 1; i < length; i++)
        bad += order[i] <= order[i - 1];
    printf("%s: %d, out of order %d\n", name, length, bad);
    length = 0;
}

int main(void)
{
#pragma omp parallel for ordered
    for (int i = 0; i < N; i++)
        append(i);
    check("static");
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < N; i++)
        through(i);
    check("static, 1");
#pragma omp parallel for ordered schedule(guided)
    for (int i = 0; i < N; i++)
        through(i);
    check("guided");
#pragma omp parallel
    shared_loop();
    check("orphaned loop");
    append(7);
    check("alone");
#pragma omp parallel for ordered collapse(2) schedule(dynamic)
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 10; j++)
            if (j > 2)
                append(10 * i + j);
    check("collapsed");
    // A loop with a block of its own, which some threads come to while others are in one without.
    int last = -1, bad = 0;
#pragma omp parallel
    {
#pragma omp for ordered schedule(dynamic) nowait
        for (int i = 0; i < 20; i++)
            append(i);
#pragma omp for ordered schedule(dynamic)
        for (int i = 20; i < N; i++)
#pragma omp ordered
            bad += i <= last, last = i;
    }
    check("two loops");
    printf("the second: %d, out of order %d\n", last, bad);
    return 0;
}
