// options: -fopenmp
// A pointer that is mapped itself leads, in its copy, to what `p->x`, `*p` and `p[i].x` beside it map; and
// a pointer that no clause names leads to where members of one element were mapped.
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    short first;
    int *row;
    long last;
} part;

#pragma omp declare mapper(part it) map(tofrom : it.first, it.last) map(to : it.row) \
    map(tofrom : it.row[0 : 3])

static long on_construct(part *p)
{
    long sum = 0;
#pragma omp target map(to : p, p->first) map(from : sum)
    sum = p->first;
    long found = sum;
#pragma omp target map(to : p->last, p->first, p) map(tofrom : sum)
    sum += p->last + p->first;
    return found * 1000 + sum;
}

static long by_directives(part *p)
{
    long sum = 0;
#pragma omp target enter data map(to : p, p->last)
#pragma omp target map(alloc : p) map(tofrom : sum)
    sum += p->last;
#pragma omp target exit data map(release : p, p->last)
#pragma omp target enter data map(to : p)
#pragma omp target enter data map(to : p[1].last, p[1].first)
#pragma omp target map(alloc : p) map(tofrom : sum)
    sum += p[1].last + p[1].first;
#pragma omp target exit data map(release : p[1].last, p[1].first)
#pragma omp target exit data map(release : p)
#pragma omp target data map(to : p, (*p).last)
#pragma omp target map(alloc : p) map(tofrom : sum)
    sum += p->last;
    return sum;
}

static long of_element(part *p, int i)
{
    long sum = 0;
#pragma omp target map(to : p[i].last) map(from : sum)
    sum = p[i].last;
#pragma omp target map(to : p[i].first) map(tofrom : p[i].last, sum)
    {
        p[i].last += p[i].first;
        sum += p[i].last;
    }
#pragma omp target data map(tofrom : p[i].last)
#pragma omp target
    p[i].last *= 2;
    return sum * 1000 + p[i].last;
}

static long rows_of_element(part *p, int i)
{
#pragma omp target map(tofrom : p[i].row[0 : 3]) map(to : p[i].last)
    for (int k = 0; k < 3; k++)
        p[i].row[k] += p[i].last;
#pragma omp target map(tofrom : p[i].row[1 : 2])
    p[i].row[2]++;
    long sum = p[i].row[0] + p[i].row[2];
    p[i].row[0] = p[i].row[1] = p[i].row[2] = 0;
    return sum;
}

static long by_mapper(part *p)
{
#pragma omp target map(p, *p)
    for (int i = 0; i < 3; i++)
        p->row[i] += i + p->first;
#pragma omp target map(p[2])
    for (int i = 0; i < 3; i++)
        p[2].row[i] += i + p[2].last;
#pragma omp target map(p, p[2 : 1])
    p[2].row[0] += 100;
    return p[0].row[2] + p[2].row[0] + p[2].row[1];
}

int main(void)
{
    part *p = malloc(3 * sizeof *p);
    for (int k = 0; k < 3; k++) {
        p[k] = (part){ 10 + k, calloc(3, sizeof(int)), 5 + k };
    }
    printf("%ld\n", on_construct(p));
    printf("%ld\n", by_directives(p));
    printf("%ld\n", of_element(p, 1));
    printf("%ld\n", rows_of_element(p, 2));
    printf("%ld\n", by_mapper(p));
    return 0;
}
