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

int main(void)
{
    static const int counts[] = {0, 1, 31, 32, 33, 1025};
    static const int workers[] = {1, 2, 3, 5, 8, 16, 31, 32};
    static const int lanes[] = {1, 2, 31, 32, 33, 64, 100, 128, 1024};

    for (int c = 0; c < 6; c++)
        for (int w = 0; w < 8; w++)
            for (int v = 0; v < 9; v++) {
                int n = counts[c], nw = workers[w], nv = lanes[v];
                if (nw * nv > 1024)
                    continue;
                long sum = 17, product = 3, rows = -4;
#pragma acc parallel loop gang worker vector num_gangs(64) num_workers(nw) vector_length(nv) reduction(+:sum)
                for (int i = 0; i < n; i++)
                    sum += i + 1;
#pragma acc parallel loop gang num_workers(nw) vector_length(nv) reduction(+:rows)
                for (int g = 0; g < 3; g++) {
#pragma acc loop worker reduction(+:rows)
                    for (int i = 0; i < n; i++)
                        rows += i;
#pragma acc loop vector reduction(+:rows)
                    for (int i = 0; i < n; i++)
                        rows += 1;
                }
#pragma acc parallel loop worker vector num_gangs(1) num_workers(nw) vector_length(nv) reduction(*:product)
                for (int i = 0; i < n; i++)
                    product *= i % 400 == 30 ? 2 : 1;
                check("sum", n, nw, nv, sum, 17 + (long)n * (n + 1) / 2);
                check("rows", n, nw, nv, rows, -4 + 3 * ((long)n * (n - 1) / 2 + n));
                check("product", n, nw, nv, product, n > 830 ? 24 : n > 430 ? 12 : n > 30 ? 6 : 3);
            }
    return wrong != 0;
}
