// options: -fopenmp
// Members of a structure that a member of another one leads to: they are members of the one they are in.
// Sections through pointer members of a structure that is not mapped itself bring the pointers with them.
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

struct field {
    char name;
    int n;
    float *x, *y;
};

static void scale(struct field *f, int n)
{
#pragma omp target teams distribute parallel for map(tofrom : f->x[0:n])
    for (int i = 0; i < n; i++)
        f->x[i] *= 3;
#pragma omp target map(to : f->n) map(tofrom : f->y[0:n])
    for (int i = 0; i < f->n; i++)
        f->y[i] += i;
}

static void swap(struct field **list)
{
    struct field *f = list[1];
#pragma omp target parallel for map(tofrom : f->y[1:4], f->x[0:5])
    for (int i = 1; i < 5; i++) {
        float other = f->y[i];
        f->y[i] = f->x[i];
        f->x[i] = other;
    }
}

// The section is there longer than one construct, the structure never.
static float kept(struct field *f, int n)
{
    float sum = 0;
#pragma omp target enter data map(to : f->y[0:n])
#pragma omp target parallel for
    for (int i = 0; i < n; i++)
        f->y[i] += 0.5f;
#pragma omp target map(to : f->y[0:n]) map(tofrom : sum)
    for (int i = 0; i < n; i++)
        sum += f->y[i];
#pragma omp target update from(f->y[0:2])
    sum += f->y[1];
#pragma omp target exit data map(from : f->y[0:n])
#pragma omp target data map(from : f->x[0:n])
    {
#pragma omp target
        for (int i = 0; i < n; i++)
            f->x[i] = -i;
    }
    return sum;
}

static void sections_alone(void)
{
    float x[5] = { 1, 2, 3, 4, 5 }, y[5] = { 6, 7, 8, 9, 10 };
    struct field fields[2] = { { 'a', 3, x, y }, { 'b', 5, y, x } }, *list[2] = { fields, fields + 1 };
    scale(fields, 5);
    swap(list);
    float sum = kept(list[1], 5);
    for (int i = 0; i < 5; i++)
        printf("%g %g ", x[i], y[i]);
    printf("%g\n", sum);
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
    sections_alone();
    return 0;
}
