// options: -fopenmp
// Mappers of structures behind pointers that are members, as `*s.p`, `s.p[0]` and `s.p[0:1]`, in clauses and
// in other mappers.
#include <stdio.h>
#include <stdlib.h>

enum { n = 8 };

typedef struct {
    int *values, count;
} list;

#pragma omp declare mapper(list l) map(to: l.count, l.values) map(tofrom: l.values[0:l.count])

struct pair {
    int *own;
    list *other;
};

#pragma omp declare mapper(whole: struct pair p) map(to: p.own, p.other) map(tofrom: p.own[0:n], *p.other)

static void show(const struct pair *pair)
{
    printf("%d %d %d\n", pair->own[3], pair->other->values[2], pair->other->values[n - 1]);
}

int main(void)
{
    struct pair pair = {calloc(n, sizeof(int)), malloc(sizeof(list))};
    *pair.other = (list){calloc(n, sizeof(int)), n};

#pragma omp target map(to: pair.other) map(tofrom: *pair.other)
    for (int i = 0; i < pair.other->count; i++)
        pair.other->values[i] += i;
    show(&pair);
#pragma omp target map(tofrom: pair.other[0])
    for (int i = 0; i < n; i++)
        pair.other->values[i] += 10;
    show(&pair);
#pragma omp target map(to: pair.own, pair.other) map(tofrom: pair.own[0:n], pair.other[0:1])
    for (int i = 0; i < n; i++) {
        pair.own[i] = i;
        pair.other->values[i] *= 2;
    }
    show(&pair);
#pragma omp target map(mapper(whole), tofrom: pair)
    for (int i = 0; i < n; i++) {
        pair.own[i] += 5;
        pair.other->values[i]--;
    }
    show(&pair);
    return 0;
}
