// options: -fopenmp
// also: --gangs 3
// `declare mapper`: of a type, with a name, in a block; of variables, members, arrays, sections, and of variables that no
// clause names; on constructs, data directives and updates.
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n;
    double *data;
} vector;
#pragma omp declare mapper(vector v) map(v, v.data[0 : v.n])

typedef struct {
    int n;
    int *first, *second;
} pair;
#pragma omp declare mapper(one : pair p) map(to : p.n) map(tofrom : p.first[0 : p.n])
#pragma omp declare mapper(two : pair p) map(to : p.n) map(tofrom : p.second[0 : p.n])

typedef struct {
    vector inner;
    int k;
} outer;

typedef struct {
    outer part;
    int count;
} whole;
#pragma omp declare mapper(whole w) map(w.count, w.part.inner)

static vector made(int n, double start)
{
    vector v = {n, malloc(n * sizeof(double))};
    for (int i = 0; i < n; i++)
        v.data[i] = start + i;
    return v;
}

static double sum(vector v)
{
    double all = 0;
    for (int i = 0; i < v.n; i++)
        all += v.data[i] * (i + 1);
    return all;
}

int main(void)
{
    vector v = made(10, 1);
#pragma omp target map(tofrom : v)
    for (int i = 0; i < v.n; i++)
        v.data[i] *= 2;
    printf("%g\n", sum(v));
#pragma omp target teams distribute parallel for
    for (int i = 0; i < v.n; i++)
        v.data[i] += 1;
    printf("%g\n", sum(v));

#pragma omp target data map(mapper(default), to : v)
    {
#pragma omp target
        v.data[3] = 50;
#pragma omp target update from(v)
    }
    printf("%g\n", sum(v));
#pragma omp target enter data map(to : v)
    v.data[4] = 60;
#pragma omp target update to(mapper(default) : v)
#pragma omp target
    v.data[5] = v.data[4] + 1;
#pragma omp target exit data map(from : v)
    printf("%g\n", sum(v));

    int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
    pair p = {4, a, b};
#pragma omp target map(mapper(one), tofrom : p)
    for (int i = 0; i < p.n; i++)
        p.first[i] += 10;
#pragma omp target map(mapper(two) tofrom : p)
    for (int i = 0; i < p.n; i++)
        p.second[i] += 20;
    printf("%d %d\n", a[3], b[3]);

    vector list[3] = {made(3, 0), made(4, 10), made(5, 20)}, *pointer = list;
#pragma omp target map(tofrom : list)
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < list[k].n; i++)
            list[k].data[i] += k;
#pragma omp target map(tofrom : pointer[1 : 2])
    for (int k = 1; k < 3; k++)
        pointer[k].data[0] += 100;
    printf("%g %g %g\n", sum(list[0]), sum(list[1]), sum(list[2]));

    outer o = {v, 3};
#pragma omp target map(tofrom : o.inner) map(tofrom : o.k)
    {
        o.inner.data[0] = o.k;
        o.k++;
    }
    printf("%g %d\n", v.data[0], o.k);
    whole w = {o, 7};
#pragma omp target map(tofrom : w)
    w.part.inner.data[1] = w.count;
    printf("%g\n", v.data[1]);
    {
#pragma omp declare mapper(vector w) map(to : w.n) map(tofrom : w.data[0 : 1])
#pragma omp target map(tofrom : v)
        v.data[0] = v.n;
        printf("%g\n", v.data[0]);
    }
    return 0;
}
