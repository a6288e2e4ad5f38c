// options: -fopenmp
// Private copies in a clause `allocate` are as far apart as an allocator, or `align`, wants them.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

static int misplaced;

static void check(const volatile void *place, unsigned bytes)
{
    if ((uintptr_t)place % bytes != 0) {
#pragma omp atomic
        misplaced++;
    }
}

static int work(int n, int *section)
{
    int x = 42, y, last = 0, sum = 0, lengths[n], parts[3] = {1, 2, 3};
    char c = 'c';
    for (int i = 0; i < n; i++)
        lengths[i] = i;
#pragma omp parallel num_threads(3) firstprivate(x, c, parts, lengths) private(y) \
    allocate(omp_default_mem_alloc : x, y) allocate(c, parts, lengths)
    {
        y = x + parts[2] + lengths[n - 1];
        check(&x, 64);
        check(&y, 64);
        check(&c, 64);
        check(parts, 64);
        check(lengths, 64);
#pragma omp for lastprivate(last) reduction(+ : sum, section[1 : 2]) \
    allocate(allocator(omp_high_bw_mem_alloc), align(128) : last) allocate(align(256) : sum, section)
        for (int i = 0; i < 20; i++) {
            last = i + y;
            sum += i;
            section[1] += 1;
            section[2] += i;
            check(&last, 128);
            check(&sum, 256);
        }
#pragma omp single
#pragma omp task firstprivate(c, x) allocate(c, x)
        {
            check(&c, 64);
            check(&x, 64);
            x = c;
        }
    }
    return last + sum;
}

struct bits {
    unsigned low : 5, high : 11;
};

int main(void)
{
    int section[3] = {0};
    printf("%d\n", work(9, section));
    printf("%d %d %d\n", section[0], section[1], section[2]);
    printf("%d misplaced\n", misplaced);

    struct bits bits = {1, 2};
    unsigned old, sum = 0;
#pragma omp parallel for num_threads(4) private(old) reduction(+ : sum)
    for (int i = 0; i < 1000; i++) {
#pragma omp atomic
        bits.high += 1;
#pragma omp atomic capture
        {
            old = bits.low;
            bits.low = bits.low ^ 1;
        }
        sum += old;
    }
#pragma omp atomic read
    old = bits.high;
    printf("%u %u %u\n", bits.low, old, sum);
    return 0;
}
