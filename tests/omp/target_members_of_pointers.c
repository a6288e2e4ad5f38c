// options: -fopenmp
// Members of a structure that a member of another one leads to: they are members of the one they are in.
#include <stdio.h>
#include <stdlib.h>

struct inner {
    int n;
    float *x;
};

struct outer {
    int first;
    struct inner *p;
    struct inner in[2];
};

static void fill(struct inner *inner, int n)
{
    inner->n = n;
    inner->x = malloc(n * sizeof *inner->x);
    for (int i = 0; i < n; i++)
        inner->x[i] = i;
}

int main(void)
{
    struct inner one;
    struct outer o = { .first = 5, .p = &one }, *q = &o;
    fill(&one, 4);
    fill(&o.in[0], 3);
    fill(&o.in[1], 5);

#pragma omp target map(tofrom : o.p[0:1]) map(tofrom : o.p->x[0:4])
    {
        o.p->n = 9;
        o.p->x[1] = 77;
    }
    printf("%d %g\n", one.n, one.x[1]);
#pragma omp target map(tofrom : o.p[0:1]) map(tofrom : o.p[0].x[0:4])
    {
        o.p->n++;
        o.p->x[2] = o.p->x[1] + 1;
    }
    printf("%d %g\n", one.n, one.x[2]);
#pragma omp target map(tofrom : q->first) map(tofrom : q->p[0:1]) map(tofrom : q->p->x[0:4])
    {
        q->first += q->p->n;
        q->p->x[3] = q->first;
    }
    printf("%d %g\n", o.first, one.x[3]);
    // An array of structures is a member itself.
#pragma omp target map(tofrom : o.in[0].n, o.in[0].x[0:3], o.in[1].n, o.in[1].x[0:5])
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < o.in[k].n; i++)
            o.in[k].x[i] += 10 * (k + 1);
    printf("%g %g\n", o.in[0].x[2], o.in[1].x[4]);
    return 0;
}
