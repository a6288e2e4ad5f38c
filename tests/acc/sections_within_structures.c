// What a construct uses of a structure behind a pointer, without a clause, may begin with any member: behind an
// `int`, the device finds a `double` at an address that fits. Bounds are variables with static storage, in whose
// place the construct has copies of its own, so that stores to numbers of their type do not change them.
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int id, count;
    double weight;
    double *values;
} record;

typedef struct {
    char tag;
    struct {
        short scale;
        double parts[3];
    } inner;
} nested;

static int low, high;
int first, last;

static void of_one(record *r)
{
    double product = 0;
#pragma acc parallel copy(product)
    product = r->count * r->weight;
    printf("%.2f\n", product);
#pragma acc parallel
    r->weight += r->count;
    printf("%.2f\n", r->weight);
}

static void of_a_nested_one(nested *n)
{
    double sum = 0;
#pragma acc serial copy(sum)
    sum = n->inner.scale * n->inner.parts[1] + n->inner.parts[2];
    printf("%.2f\n", sum);
}

static void of_several(record *r)
{
    double sum = 0;
#pragma acc parallel loop reduction(+:sum)
    for (int i = 2; i < 7; i++) {
        r[i].weight += r[i].count;
        sum += r[i].weight;
    }
    printf("%.2f\n", sum);
}

static void bounds(int *a)
{
    low = 3, high = 9, first = 1, last = 5;
#pragma acc parallel loop
    for (int i = low; i < high; i++)
        a[i] = a[i] * 2 + i;
#pragma acc serial loop
    for (int i = first; i < last; i++)
        a[i] += low;
    printf("%d %d %d\n", a[0], a[4], a[8]);
}

int main(void)
{
    record *r = calloc(8, sizeof *r);
    nested n = {'n', {2, {1, 2, 3}}};
    int *a = malloc(12 * sizeof *a);
    for (int i = 0; i < 8; i++)
        r[i].count = i + 3, r[i].weight = i + 0.5;
    for (int i = 0; i < 12; i++)
        a[i] = i;
    of_one(r);
    of_a_nested_one(&n);
    of_several(r);
    bounds(a);
    free(r);
    free(a);
    return 0;
}
