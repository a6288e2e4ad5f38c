// Executes the golden cases of single mode.
// also: --gangs 3
#include <stdio.h>
#include <stdlib.h>

#include "../../golden/cases/single_mode/exits.c"
#define rows lane_rows
#include "../../golden/cases/single_mode/lanes.c"
#undef rows
#include "../../golden/cases/single_mode/leader.c"
#include "../../golden/cases/single_mode/long_rows.c"
#include "../../golden/cases/single_mode/pointers.c"
#define rows read_rows
#include "../../golden/cases/single_mode/reads.c"
#undef rows
#define scale redundant
#include "../../golden/cases/single_mode/redundant.c"
#undef scale
#define rows returned_rows
#include "../../golden/cases/single_mode/returns.c"
#undef rows
#define rows routine_rows
#include "../../golden/cases/single_mode/routine.c"
#undef rows
#include "../../golden/cases/single_mode/rows_in_turn.c"
#include "../../golden/cases/single_mode/sequential.c"
#include "../../golden/cases/single_mode/storage.c"
#define lanes type_lanes
#include "../../golden/cases/single_mode/types.c"
#undef lanes
#include "../../golden/cases/single_mode/volatile.c"

static void ints(const char *name, const int *values, int n)
{
    printf("%s:", name);
    for (int i = 0; i < n; i++)
        printf(" %d", values[i]);
    printf("\n");
}

static void floats(const char *name, const float *values, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i] * (i % 7 + 1);
    printf("%s: %g %g, %g\n", name, values[0], values[n - 1], sum);
}

static int ascending(const void *left, const void *right)
{
    long a = *(const long *)left, b = *(const long *)right;
    return (a > b) - (a < b);
}

int main(void)
{
    enum { N = 9 };
    int a[N * 16], b[N * 16], seen[4], count[N];
    float x[N * 128], out[N];
    double doubles[N * 32];
    long longs[N];

    for (int first = 1; first < 5; first += 3) {
        for (int i = 0; i < N; i++)
            a[i] = b[i] = -1;
        seen[0] = seen[1] = seen[2] = seen[3] = first;
        choose(N, seen, a, b);
        ints("exits", seen, 4);
        ints("a", a, N);
        ints("b", b, N);
    }

    for (int i = 0; i < N; i++)
        count[i] = i;
    for (int i = 0; i < N * 128; i++)
        x[i] = i % 11;
    lane_rows(N, count, x);
    ints("lanes", count, N);
    floats("lanes", x, N * 32);
    sums(N, count, x, out);
    ints("long rows", count, N);
    floats("long rows", out, N);

    // Who gets which ticket is open.
    int counter = 5;
    numbered(N, &counter, longs);
    qsort(longs, N, sizeof *longs, ascending);
    for (int i = 0; i < N; i++)
        a[i] = (int)longs[i];
    ints("leader", a, N);
    ints("leader", &counter, 1);

    for (int which = 0; which < 3; which++) {
        pointers(N, which, a);
        ints("pointers", a, N);
    }

    int start[N + 1];
    for (int i = 0; i < N + 1; i++)
        start[i] = i * i / N;
    for (int i = 0; i < N; i++)
        doubles[i] = i;
    read_rows(N, start, doubles);
    for (int i = 0; i < N; i++)
        a[i] = (int)doubles[i];
    ints("reads", a, N);
    perhaps_the_same(N, start, doubles);
    for (int i = 0; i < N; i++)
        a[i] = (int)doubles[i];
    ints("reads", a, N);
    for (int m = 0; m < 3; m++) {
        redundant(N * 64, m, x);
        floats("redundant", x, N * 64);
    }

    for (int i = 0; i < N * 8; i++)
        a[i] = i * 5 + 1;
    returned_rows(N, a, b);
    ints("returns", b, N);
    ints("returns", a, N * 8);
    int from[N];
    for (int i = 0; i < N; i++)
        from[i] = i;
    routine_rows(N, from, a);
    ints("routine", a + 16 * (N - 1), 16);

    static float heights[N * 60];
    for (int i = 0; i < N * 60; i++)
        heights[i] = i % 11;
    relax_rows(N, 9, heights, out);
    floats("rows_in_turn", out, N);
    for (int i = 0; i < N; i++)
        x[i] = i * 30;
    relax(N, 7, x, seen);
    floats("sequential", x, N);
    ints("sequential", seen, 2);
    places(N, a);
    ints("storage", a, 1);

    types(N, from, doubles);
    for (int i = 0; i < N * 32; i += 37)
        printf("types: %g\n", doubles[i]);
    type_lanes(N, from, doubles);
    for (int i = 0; i < N * 32; i += 37)
        printf("lanes: %g\n", doubles[i]);

    int flag = 40, ticket = 2;
    once(N, &flag, &ticket, a);
    ints("volatile", a, N);
    ints("volatile", &ticket, 1);
    return 0;
}
