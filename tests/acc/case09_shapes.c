// Initial values other than the identity, more gangs than iterations, odd trip counts, every mix of workers and lanes.
// also: --gangs 3
#include <stdio.h>

static int wrong;

static void check(const char *what, int n, int workers, int lanes, long got, long expected)
{
    if (got != expected) {
        wrong++;
        printf("%s: n = %d, workers = %d, lanes = %d: %ld, expected %ld\n", what, n, workers, lanes, got, expected);
    }
}

static void test(int n, int nw, int nv)
{
    // Few threads leave room for many gangs.
    int gangs = nw * nv <= 64 ? 40 : 2;
    long sum = 17, product = 3, rows = -4;
    double halves = 0.5;
    short most = -7;
#pragma acc parallel loop gang worker vector num_gangs(gangs) num_workers(nw) vector_length(nv) reduction(+:sum)
    for (int i = 0; i < n; i++)
        sum += i + 1;
#pragma acc parallel loop gang num_gangs(2) num_workers(nw) vector_length(nv) reduction(+:rows) reduction(max:most)
    for (int g = 0; g < 3; g++) {
#pragma acc loop worker reduction(+:rows)
        for (int i = 0; i < n; i++)
            rows += i;
#pragma acc loop vector reduction(+:rows) reduction(max:most)
        for (int i = 0; i < n; i++) {
            rows += 1;
            most = i > most ? i : most;
        }
    }
#pragma acc parallel loop worker vector num_gangs(1) num_workers(nw) vector_length(nv) reduction(*:product) \
    reduction(+:halves)
    for (int i = 0; i < n; i++) {
        product *= i % 400 == 30 ? 2 : 1;
        halves += 0.5;
    }
    check("sum", n, nw, nv, sum, 17 + (long)n * (n + 1) / 2);
    check("rows", n, nw, nv, rows, -4 + 3 * ((long)n * (n - 1) / 2 + n));
    check("most", n, nw, nv, most, n > 0 ? n - 1 : -7);
    check("product", n, nw, nv, product, n > 830 ? 24 : n > 430 ? 12 : n > 30 ? 6 : 3);
    check("halves", n, nw, nv, (long)(2 * halves), n + 1);
}

int main(void)
{
    static const int counts[] = {0, 1, 31, 32, 33, 1025};
    static const int workers[] = {1, 2, 3, 5, 8, 16, 31, 32};
    static const int lanes[] = {1, 2, 7, 31, 32, 33, 48, 64, 128, 1024};

    // Those of more threads than a gang can have are cut down.
    for (int w = 0; w < 8; w++)
        for (int v = 0; v < 10; v++)
            for (int c = 0; c < 6; c++)
                if (workers[w] * lanes[v] <= 1024 || c == v % 6)
                    test(counts[c], workers[w], lanes[v]);
    return wrong != 0;
}
