// Executes the golden case of histograms: many iterations and few, elements that nobody updates, and two names of one object.
// also: --gangs 3
#include <math.h>
#include <stdio.h>

#include "../../golden/cases/atomics/histogram.c"

enum { N = 5000, BINS = 6000 };

static int x[N], small[N];
static unsigned char letters[N];
static long far[BINS];

static void counts(int n)
{
    int of_bytes[256] = {1000, [255] = -7};
    bytes(n, letters, of_bytes);
    long sum = 0;
    for (int k = 0; k < 256; k++)
        sum = sum * 31 + of_bytes[k];
    printf("bytes %d: %d %d %d, %ld\n", n, of_bytes[0], of_bytes[1], of_bytes[255], sum);

    for (int k = 0; k < BINS; k++)
        far[k] = k;
    many(n, BINS, x, far);
    sum = 0;
    for (int k = 0; k < BINS; k++)
        sum = sum * 31 + far[k];
    printf("many %d: %ld %ld, %ld\n", n, far[0], far[BINS - 1], sum);

    unsigned most[16] = {9, 9, 9, 9, 9, 9, 9, 9};
    section(n, small, most);
    printf("section %d:", n);
    for (int k = 0; k < 16; k++)
        printf(" %x", most[k]);

    plane(n / 64, small);
    printf("\nplane %d:", n);
    for (int k = 0; k < 20; k++)
        printf(" %d", table[k][k % 4]);

    float sums[16] = {-0.0f, 1.5f};
    double weights[16] = {-0.0, 1.5};
    int members[16] = {0};
    clusters(n, small, sums, members, weights);
    sums[0] = n ? sums[0] : copysignf(1, sums[0]);
    printf("\nclusters %d: %g %g %g, %g %g, %d %d\n", n, sums[0], sums[1], sums[12], weights[1], weights[12], members[0],
           members[15]);
}

int main(void)
{
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = (state >> 8) % BINS;
        small[i] = (state >> 12) % 1000;
        letters[i] = state >> 16 & (i % 3 ? 255 : 1);
    }
    counts(0);
    counts(1);
    counts(N);

    int count[16] = {5}, ticket[100], seen[16] = {0};
    tickets(100, small, count, ticket);
    printf("tickets: %d %d\n", count[0], ticket[99]);
    looks(16, seen, seen);
    printf("looks: %d %d\n", seen[0], seen[15]);
    for (int k = 0; k < 16; k++)
        count[k] = 2 * k + 1;
    mixed(100, small, count);
    printf("mixed: %d %d\n", count[0], count[15]);
    return 0;
}
