// The eight queens problem and larger ones: each thread searches below one pair of first moves, with a stack of its own in a
// local array; `while`, `goto` and `switch` inside of a region.
#include <stdio.h>

#pragma acc routine seq
static long search(int n, int first, int second)
{
    unsigned all = (1u << n) - 1, columns[20], left[20], right[20], free[20];
    long found = 0;
    int row = 2;
    unsigned a = 1u << first, b = 1u << second;
    if (b & (a | a << 1 | a >> 1))
        return 0;
    columns[row] = a | b;
    left[row] = (a << 1 | b) << 1;
    right[row] = (a >> 1 | b) >> 1;
    free[row] = all & ~(columns[row] | left[row] | right[row]);
    while (row >= 2) {
        unsigned place = free[row] & -free[row];
        switch (place) {
        case 0:
            row--;
            continue;
        default:
            free[row] ^= place;
        }
        if (row + 1 == n) {
            found++;
            goto next;
        }
        columns[row + 1] = columns[row] | place;
        left[row + 1] = (left[row] | place) << 1;
        right[row + 1] = (right[row] | place) >> 1;
        row++;
        free[row] = all & ~(columns[row] | left[row] | right[row]);
    next:;
    }
    return found;
}

int main(void)
{
    for (int n = 4; n <= 10; n++) {
        long solutions = 0;
#pragma acc parallel loop collapse(2) reduction(+ : solutions)
        for (int first = 0; first < n; first++)
            for (int second = 0; second < n; second++)
                solutions += search(n, first, second);
        printf("%d: %ld\n", n, solutions);
    }
    return 0;
}
