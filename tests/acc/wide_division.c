// Quotients and remainders of 64-bit integers: edges against edges, and random numbers of every length.
#include <stdio.h>
#include <stdlib.h>

enum { EDGES = 34, RANDOM = 4000 };

static unsigned long long state = 88172645463325252ull;

static unsigned long long next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int check(int n, unsigned long long *a, unsigned long long *b)
{
    unsigned long long *q = malloc(n * sizeof *q), *r = malloc(n * sizeof *r);
    long long *sq = malloc(n * sizeof *sq), *sr = malloc(n * sizeof *sr);
#pragma acc parallel loop copyin(a[0:n], b[0:n]) copyout(q[0:n], r[0:n], sq[0:n], sr[0:n])
    for (int i = 0; i < n; i++) {
        q[i] = a[i] / b[i];
        r[i] = a[i] % b[i];
        long long x = (long long)a[i], y = (long long)b[i];
        int overflows = y == -1 && a[i] == 1ull << 63;
        sq[i] = overflows ? 0 : x / y;
        sr[i] = overflows ? 0 : x % y;
    }
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        long long x = (long long)a[i], y = (long long)b[i];
        int overflows = y == -1 && a[i] == 1ull << 63;
        if (q[i] != a[i] / b[i] || r[i] != a[i] % b[i] || sq[i] != (overflows ? 0 : x / y) ||
            sr[i] != (overflows ? 0 : x % y)) {
            if (wrong++ < 5)
                printf("%llx by %llx: %llx %llx %llx %llx\n", a[i], b[i], q[i], r[i], sq[i], sr[i]);
        }
    }
    free(q);
    free(r);
    free(sq);
    free(sr);
    return wrong;
}

int main(void)
{
    static unsigned long long edges[EDGES], a[EDGES * EDGES + RANDOM], b[EDGES * EDGES + RANDOM];
    int shifts[] = {0, 1, 16, 31, 32, 33, 47, 52, 53, 62, 63}, count = 0, n = 0;
    for (int s = 0; s < 11; s++)
        for (int by = -1; by <= 1; by++)
            edges[count++] = (1ull << shifts[s]) + by;
    edges[count++] = 0xfffffffffffff800ull;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if (edges[j] != 0) {
                a[n] = edges[i];
                b[n++] = edges[j];
            }
    for (int i = 0; i < RANDOM; i++) {
        a[n] = next() >> next() % 64;
        b[n] = next() >> next() % 64;
        // Products and their neighbours: quotients are exact or just missed.
        if (i % 2)
            a[n] = a[n] / (b[n] | 1) * b[n] - i % 3;
        if (b[n] != 0)
            n++;
    }
    return check(n, a, b) != 0;
}
