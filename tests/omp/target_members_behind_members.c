// options: -fopenmp
// Members behind pointers that are members: `s.p->x` brings what the pointer leads to, and attaches the pointer,
// in a clause and in a mapper; members that only came with sections make room for a directive that names them.
#include <stdio.h>
#include <stdlib.h>

#define N 16

typedef struct {
    int count, first;
    double *values;
} Row;

typedef struct {
    Row scratch;
    Row *row;
    double host_only[40];
} Table;

#pragma omp declare mapper(Row r) map(r, r.values[0:r.count])
#pragma omp declare mapper(outer : Table t) map(t.row, t.row[0]) map(alloc : t.scratch)
#pragma omp declare mapper(counts : Row r) map(r.count)

static void fill(Row *row, int count)
{
    row->count = count;
    row->first = 1;
    row->values = malloc(count * sizeof(double));
    for (int i = 0; i < count; i++)
        row->values[i] = i;
}

static void through_scratch(Table *t)
{
    for (int i = 0; i < t->row->count; i++)
        t->scratch.values[i] = 2 * t->row->values[i];
    for (int i = 0; i < t->row->count; i++)
        t->row->values[i] = t->scratch.values[i] + 1;
}

typedef struct {
    char text[300];
    float scale, shift;
    float *values;
} Series;

#pragma omp begin declare target
static void scaled(Series *s)
{
    for (int i = 0; i < N; i++)
        s->values[i] = s->values[i] * s->scale + s->shift;
}
#pragma omp end declare target

int main(void)
{
    Table t;
    Table *p = &t;
    t.row = malloc(2 * sizeof(Row));
    fill(&t.scratch, N);
    fill(&t.row[0], N);
    fill(&t.row[1], N / 2);

#pragma omp target map(mapper(outer), tofrom : t)
    through_scratch(&t);
    printf("%g %g\n", t.row->values[0], t.row->values[N - 1]);

#pragma omp target map(t.row) map(t.row->first)
    t.row->first += 4;
#pragma omp target map(t.row->first, t.row->count)
    t.row->first += t.row->count;
#pragma omp target map(p->row) map(p->row->count, p->row->first)
    p->row->first += p->row->count;
#pragma omp target map(*t.row) map(t.row[0].values[0:2])
    t.row->values[1] += t.row->count;
#pragma omp target map(mapper(counts), tofrom : *t.row)
    t.row->count *= 2;
#pragma omp target map(t.row[1].first, t.row[1].count)
    t.row[1].first += t.row[1].count;
    printf("%d %d %g %d\n", t.row->first, t.row->count, t.row->values[1], t.row[1].first);

    Series s = {"", 2, 4, malloc(N * sizeof(float))};
    for (int i = 0; i < N; i++)
        s.values[i] = i;
#pragma omp target data map(s.values[:N])
    {
#pragma omp target map(s.values[:0], s.scale, s.shift)
        scaled(&s);
        // The pointer that came with the section is there again.
#pragma omp target map(s.values[:0])
        s.values[1] += 100;
#pragma omp target map(s.values[:N], s.scale, s.shift)
        scaled(&s);
    }
    printf("%g %g %g\n", s.values[0], s.values[1], s.values[N - 1]);
    return 0;
}
