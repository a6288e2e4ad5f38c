// Scalars of one iteration get their values on some paths only, as far as a compiler can see: a closest point, a match
// that is always found. Each thread has its own, whether a clause or the block says so, or no other iteration's value
// can be meant.
#include <stdio.h>

enum { ROWS = 60, COLUMNS = 40 };

static int rows[ROWS][COLUMNS], found[ROWS], nearest[COLUMNS];

static void nests(void)
{
#pragma acc parallel num_gangs(3) num_workers(2) vector_length(64) copyout(rows, found)
#pragma acc loop gang
    for (int i = 0; i < ROWS; i++) {
        int sign;
        if (i % 3 == 0)
            sign = i;
        else
            sign = -i;
#pragma acc loop worker vector
        for (int j = 0; j < COLUMNS; j++) {
            int own;
            for (int k = 0; k < 3; k++)
                if ((k + i + j) % 3 == 1)
                    own = k * j;
            rows[i][j] = own + sign;
        }
        int last;
#pragma acc loop worker
        for (int j = 0; j < COLUMNS; j++) {
            int row;
            for (int k = 0; k < 2; k++)
                if ((k + j) % 2)
                    row = j + k;
#pragma acc loop vector
            for (int lane = 0; lane < 1; lane++)
                rows[i][j] += row;
            if (j == 17)
                last = row;
        }
        found[i] = last;
    }
}

#pragma acc routine vector
static void in_routine(int *to, int factor)
{
#pragma acc loop vector
    for (int j = 0; j < COLUMNS; j++) {
        int own;
        for (int k = 0; k < 3; k++)
            if ((k + j) % 3 == 2)
                own = k;
        to[j] += own * factor;
    }
}

static void private_clauses(void)
{
    int i, k, index;
#pragma acc kernels copyout(nearest)
    {
#pragma acc loop independent private(k, index)
        for (i = 0; i < COLUMNS; i++) {
            int least = 1000;
            for (k = 0; k < 7; k++) {
                int distance = (i * 11 + k * 17) % 23;
                if (distance < least) {
                    least = distance;
                    index = k;
                }
            }
            nearest[i] = index;
        }
    }
#pragma acc parallel loop gang num_gangs(2) copy(rows)
    for (i = 0; i < ROWS; i++)
        in_routine(rows[i], i);
}

static void no_clauses(void)
{
    int best = -1, other = -1;
#pragma acc parallel num_gangs(3) num_workers(4) copy(nearest, found)
    {
#pragma acc loop gang vector
        for (int i = 0; i < COLUMNS; i++) {
            for (int k = 0; k < 5; k++)
                if ((i * 3 + k * 7) % 5 == 2)
                    best = k;
            nearest[i] += best;
        }
#pragma acc loop gang worker
        for (int i = 0; i < ROWS; i++) {
            for (int k = 0; k < 5; k++)
                if ((i + k * 2) % 5 == 1)
                    other = k;
            found[i] += other;
        }
    }
}

int main(void)
{
    nests();
    private_clauses();
    no_clauses();
    long sum = 0, where = 0, last = 0;
    for (int i = 0; i < ROWS; i++) {
        last += found[i];
        for (int j = 0; j < COLUMNS; j++)
            sum += rows[i][j] * (j + 1);
    }
    for (int i = 0; i < COLUMNS; i++)
        where = where * 7 % 10007 + nearest[i];
    printf("%ld %ld %ld\n", sum, where, last);
    return 0;
}
