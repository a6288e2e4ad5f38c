// Executes the golden case of short rows: all lengths around those that come at once, beside sums of the host.
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../../golden/cases/ptx/tails.c"

enum { ROWS = 40, MOST = 1100 };

static int x[ROWS * MOST];

static int check_rows(int length)
{
    int sums[ROWS], least[ROWS], last[ROWS], wide[ROWS], wrong = 0;
    int n = length > 40 ? 5 : ROWS;
#pragma acc data copyin(x) copyout(sums, least, last, wide)
    {
        rows(n, length, x, sums, least, last);
        by_lanes(n, length, x, wide);
    }
    for (int i = 0; i < n; i++) {
        int sum = 0, found = 1 << 30, end = -1;
        for (int k = 0; k < length; k++) {
            end = x[i * length + k];
            sum += end * (k + 1);
            found = end < found ? end : found;
        }
        wrong += sums[i] != sum || least[i] != found || last[i] != end || wide[i] != sum;
    }
    return wrong;
}

/* Ends far below where loops begin, so that their difference wraps around, are ends as well. */
static int check_steps(void)
{
    unsigned from[ROWS], to[ROWS];
    static long numbers[200];
    long sums[ROWS];
    int wrong = 0;
    for (int i = 0; i < 200; i++)
        numbers[i] = i * 7919 % 1009;
    for (int i = 0; i < ROWS; i++) {
        from[i] = i;
        to[i] = i + i % 27;
    }
    from[3] = INT_MAX - 1, to[3] = (unsigned)INT_MIN + 1;
    from[4] = 100, to[4] = (unsigned)INT_MIN;
    from[5] = INT_MAX, to[5] = INT_MAX;
#pragma acc data copyin(from, to, numbers) copyout(sums)
    steps(ROWS, from, to, numbers, sums);
    for (int i = 0; i < ROWS; i++) {
        long sum = i;
        for (long k = (int)from[i]; k < (int)to[i]; k += 3)
            sum = sum * 3 + numbers[k];
        wrong += sums[i] != sum;
    }
    return wrong;
}

int main(void)
{
    int wrong = 0;
    for (int i = 0; i < ROWS * MOST; i++)
        x[i] = (int)(i * 2654435761u >> 20) - 2000;
    for (int length = 0; length <= 40; length++)
        wrong += check_rows(length);
    static const int long_rows[] = {63, 64, 65, 127, 129, 255, 256, 257, 700, 1023, 1024, 1025, 1100};
    for (int i = 0; i < (int)(sizeof long_rows / sizeof *long_rows); i++)
        wrong += check_rows(long_rows[i]);
    printf("%d %d\n", wrong, check_steps());
    return 0;
}
