// options: -fopenmp
// `scan` with both clauses: of numbers, structures, arrays and sections, in loops of threads and lanes.
#include <stdio.h>

struct best {
    int value, at;
};
#pragma omp declare reduction(best : struct best : omp_out = omp_in.value > omp_out.value ? omp_in : omp_out) \
    initializer(omp_priv = {-1, -1})

static int in[1000], out[1000], place[1000];
static long total = 5;

static void orphaned(int n)
{
#pragma omp for reduction(inscan, + : total)
    for (int i = 0; i < n; i++) {
        total += in[i];
#pragma omp scan inclusive(total)
        out[i] = total;
    }
}

static unsigned check(int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31 + out[i];
    return sum;
}

static void sums(int n)
{
    int sum = 10;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < n; i++) {
        out[i] = sum;
#pragma omp scan exclusive(sum)
        sum += in[i];
    }
    printf("%d: %d %u", n, sum, check(n));
    total = 5;
#pragma omp parallel
    orphaned(n);
    printf(" %ld %u", total, check(n));
    int k = 0;
    unsigned product = 3;
#pragma omp parallel for simd reduction(inscan, * : product) reduction(inscan, max : sum) lastprivate(k)
    for (k = n; k > 0; k--) {
        product *= 2 * in[k - 1] + 1;
        if (k == n / 2)
            sum = 100000;
#pragma omp scan inclusive(product, sum)
        out[n - k] = product + sum;
    }
    printf(" %d %u %d %u\n", k, product, sum, check(n));
}

static void structures_and_arrays(int n)
{
    struct best best = {0, -2};
#pragma omp parallel for reduction(inscan, best : best)
    for (int i = 0; i < n; i++) {
        if (in[i] > best.value)
            best = (struct best){in[i], i};
#pragma omp scan inclusive(best)
        {
            out[i] = best.value;
            place[i] = best.at;
        }
    }
    int sums[3] = {1, 2, 3}, *p = sums;
    printf("best %d %d %u %d", best.value, best.at, check(n), n > 1 ? place[n / 2] : 0);
#pragma omp parallel for reduction(inscan, + : sums)
    for (int i = 0; i < n; i++) {
        out[i] = sums[0] + 10 * sums[1] - sums[2];
#pragma omp scan exclusive(sums)
        sums[i % 3] += in[i];
    }
    printf(", arrays %d %d %d %u", sums[0], sums[1], sums[2], check(n));
#pragma omp parallel
#pragma omp for reduction(inscan, + : p[1:2]) nowait
    for (int i = 0; i < n; i++) {
        p[1 + i % 2] += in[i];
#pragma omp scan inclusive(p[1:2])
        out[i] = p[1] - p[2];
    }
    printf(" %d %d %u\n", sums[1], sums[2], check(n));
}

static void alone(int n)
{
    int sum = 0, other = 0;
#pragma omp simd reduction(inscan, + : sum)
    for (int i = 0; i < n; i++) {
        sum += in[i];
#pragma omp scan inclusive(sum)
        out[i] = sum;
    }
    printf("simd %d %u", sum, check(n));
#pragma omp parallel for collapse(2) reduction(inscan, + : other) firstprivate(sum)
    for (int i = 0; i < n / 10; i++)
        for (int j = 0; j < 10; j++) {
            out[10 * i + j] = other + sum;
#pragma omp scan exclusive(other)
            other += in[10 * i + j];
        }
    printf(" %d %u\n", other, check(n / 10 * 10));
}

int main(void)
{
    for (int i = 0; i < 1000; i++)
        in[i] = (i * 37 + 11) % 101;
    for (int n = 0; n < 6; n++)
        sums(n);
    sums(1000);
    structures_and_arrays(1);
    structures_and_arrays(1000);
    alone(990);
}
