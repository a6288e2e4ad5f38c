// A pointer that a data clause names is a variable in memory; what kernels use behind it is computed from there.
#include <stdio.h>

struct line {
    int n;
    double x[40], y[40];
};

static void add(struct line *p)
{
#pragma acc enter data copyin(p[0:1])
#pragma acc parallel loop present(p)
    for (int i = 0; i < p->n; i++)
        p->y[i] += p->x[i];
#pragma acc exit data copyout(p[0:1])
#pragma acc exit data delete(p)
#pragma acc kernels
    for (int i = 0; i < p->n; i++)
        p->y[i] += 3 * p->x[i];
}

int main(void)
{
    struct line a = {.n = 30};
    for (int i = 0; i < 40; i++)
        a.x[i] = i, a.y[i] = 100 - i;
    add(&a);
    for (int i = 0; i < 40; i++)
        printf("%g%c", a.y[i], i % 10 == 9 ? '\n' : ' ');
    return 0;
}
