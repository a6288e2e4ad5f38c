// options: -fopenmp
// Declared reductions of many types, for teams and threads of many numbers, of arrays and sections, and on the
// constructs that a loop may be spread over.
#include <complex.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 777, ROWS = 5, PARTS = 12 };

struct best {
    double value;
    int index;
};
struct large {
    long a[40];
};
struct bytes {
    unsigned char c[3];
};
struct where {
    const int *at;
    int value;
};
struct all {
    struct best best;
    double _Complex product;
    struct large large;
    struct bytes bytes;
    struct where where;
    int most;
};

static void add_large(struct large *out, struct large *in)
{
    for (int k = 0; k < 40; k++)
        out->a[k] += in->a[k];
}

#pragma omp declare reduction(best : struct best : omp_out = \
    omp_in.value < omp_out.value || (omp_in.value == omp_out.value && omp_in.index < omp_out.index) \
    ? omp_in : omp_out) initializer(omp_priv = {DBL_MAX, 1 << 30})
#pragma omp declare reduction(times : double _Complex : omp_out *= omp_in) initializer(omp_priv = 1)
#pragma omp declare reduction(large : struct large : add_large(&omp_out, &omp_in))
#pragma omp declare reduction(bytes : struct bytes : omp_out.c[0] ^= omp_in.c[0], omp_out.c[1] |= omp_in.c[1], \
    omp_out.c[2] += omp_in.c[2])
#pragma omp declare reduction(most : int : omp_out = omp_out > omp_in ? omp_out : omp_in) \
    initializer(omp_priv = -2147483647 - 1)
#pragma omp declare reduction(where : struct where : omp_out = omp_in.value > omp_out.value ? omp_in : omp_out) \
    initializer(omp_priv = {0, -1})

static int data[N];
#pragma omp declare target to(data)

static void find(struct best *best, int i)
{
    if (data[i] < best->value)
        *best = (struct best){data[i], i};
}

static void one(int i, struct best *best, double _Complex *product, struct large *large, struct bytes *bytes,
    struct where *where, int *most)
{
    find(best, i);
    if (i % 100 == 50)
        *product *= I;
    large->a[i % 40] += i;
    bytes->c[0] ^= i;
    bytes->c[1] |= i & 0x40;
    bytes->c[2]++;
    if (data[i] > where->value)
        *where = (struct where){&data[i], data[i]};
    if (data[i] > *most)
        *most = data[i];
}

static struct all start(void)
{
    struct all all = {{DBL_MAX, -7}, 2, {{1}}, {{1, 2, 3}}, {0, 0}, -9};
    return all;
}

static int differ(const struct best *a, const struct best *b, int count)
{
    int wrong = 0;
    for (int k = 0; k < count; k++)
        wrong |= a[k].value != b[k].value || a[k].index != b[k].index;
    return wrong;
}

/* Which of the results are not those of one thread. */
static int compare(const struct all *a, const struct all *b)
{
    int wrong = differ(&a->best, &b->best, 1) | (a->product != b->product) << 1;
    for (int k = 0; k < 40; k++)
        wrong |= (a->large.a[k] != b->large.a[k]) << 2;
    for (int k = 0; k < 3; k++)
        wrong |= (a->bytes.c[k] != b->bytes.c[k]) << 3;
    return wrong | (a->where.value != b->where.value || !a->where.at) << 4 | (a->most != b->most) << 5;
}

static void teams(int teams, int threads)
{
    struct all all = start(), host = start();
    for (int i = 0; i < N; i++)
        one(i, &host.best, &host.product, &host.large, &host.bytes, &host.where, &host.most);
    struct best best = all.best;
    double _Complex product = all.product;
    struct large large = all.large;
    struct bytes bytes = all.bytes;
    struct where where = all.where;
    int most = all.most;
#pragma omp target teams distribute parallel for num_teams(teams) thread_limit(threads) reduction(best : best) \
    reduction(times : product) reduction(large : large) reduction(bytes : bytes) reduction(where : where) \
    reduction(most : most)
    for (int i = 0; i < N; i++)
        one(i, &best, &product, &large, &bytes, &where, &most);
    all = (struct all){best, product, large, bytes, where, most};
    printf("%d teams, %d threads: wrong %x\n", teams, threads, compare(&all, &host));
}

static void sections(int length)
{
    struct best part[PARTS], *list = malloc(PARTS * sizeof *list), of_part[PARTS], of_list[PARTS];
    for (int k = 0; k < PARTS; k++)
        part[k] = list[k] = of_part[k] = of_list[k] = (struct best){DBL_MAX, 1 << 20};
#pragma omp target teams distribute parallel for map(tofrom : part, list[0 : PARTS]) \
    reduction(best : part, list[1 : length])
    for (int i = 0; i < N; i++) {
        find(&part[i % PARTS], i);
        find(&list[1 + i % length], i);
    }
    for (int i = 0; i < N; i++) {
        find(&of_part[i % PARTS], i);
        find(&of_list[1 + i % length], i);
    }
    printf("sections of %d: wrong %d %d\n", length, differ(part, of_part, PARTS), differ(list, of_list, PARTS));
    free(list);
}

/* Threads of each team reduce what the team has. */
static void rows(void)
{
    struct best row[ROWS], of_row[ROWS];
#pragma omp target teams distribute map(from : row)
    for (int r = 0; r < ROWS; r++) {
        struct best best = {1e6, -1};
#pragma omp parallel for reduction(best : best)
        for (int i = r; i < N; i += ROWS)
            find(&best, i);
        row[r] = best;
    }
    for (int r = 0; r < ROWS; r++) {
        of_row[r] = (struct best){1e6, -1};
        for (int i = r; i < N; i += ROWS)
            find(&of_row[r], i);
    }
    printf("rows: wrong %d\n", differ(row, of_row, ROWS));
}

int main(void)
{
    for (int i = 0; i < N; i++)
        data[i] = (i * 7919 + 5) % 1009;
#pragma omp target update to(data)
    teams(1, 1);
    teams(1, 32);
    teams(6, 96);
    teams(9, 1024);
    sections(1);
    sections(11);
    rows();

    struct best parallel = {3, 4}, of_teams = {DBL_MAX, 8}, of_loop = {DBL_MAX, 8}, nest = {DBL_MAX, 0};
#pragma omp target map(tofrom : parallel)
#pragma omp parallel for reduction(best : parallel)
    for (int i = 0; i < N; i++)
        find(&parallel, i);
#pragma omp target teams reduction(best : of_teams)
#pragma omp distribute parallel for reduction(best : of_teams)
    for (int i = 0; i < N; i++)
        find(&of_teams, i);
#pragma omp target teams loop reduction(best : of_loop)
    for (int i = 0; i < N; i++)
        find(&of_loop, i);
#pragma omp target teams distribute parallel for simd collapse(2) reduction(best : nest)
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 30; j++)
            find(&nest, i * 30 + j);
    printf("%g %d, %g %d, %g %d, %g %d\n", parallel.value, parallel.index, of_teams.value, of_teams.index,
        of_loop.value, of_loop.index, nest.value, nest.index);
}
