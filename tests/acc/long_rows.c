// Workers of more lanes than a warp has: the warps of such a row meet on their own, one row more often than another.
// also: --device sim --arch sm_80 --seed 6
// also: --device sim --arch sm_75 --seed 7
#include <stdio.h>

enum { ROWS = 40, COLUMNS = 150 };

static int table[ROWS][COLUMNS];

static int value(int row, int column) { return (row * 7 + column * 3) % 11; }

#pragma acc routine vector
static int squares(const int *row, int n)
{
    int sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += row[i] * row[i];
    return sum;
}

// Each row goes through vector loops as often as its number says.
static void skewed(int *restrict out)
{
#pragma acc parallel num_gangs(2) num_workers(16) vector_length(64) copyin(table) copyout(out[0 : ROWS])
#pragma acc loop gang worker
    for (int r = 0; r < ROWS; r++) {
        int sum = 0, shift[COLUMNS];
        for (int round = 0; round <= r % 6; round++) {
            int most = 0;
#pragma acc loop vector
            for (int i = 0; i < COLUMNS; i++)
                shift[i] = table[r][i] + round;
#pragma acc loop vector reduction(max : most)
            for (int i = 0; i < COLUMNS; i++)
                if (shift[(i + round) % COLUMNS] > most)
                    most = shift[(i + round) % COLUMNS];
            sum += most;
            if (round % 2)
                sum += squares(table[r], COLUMNS - round);
        }
        out[r] = sum;
    }
}

// The first row goes through vector loops while the others wait, and all exchange values through shared memory next.
static void one_row_works(int *restrict out, int *restrict totals)
{
#pragma acc parallel num_gangs(2) num_workers(16) vector_length(64) copyin(table) copyout(out[0 : ROWS], totals[0 : 4])
#pragma acc loop gang
    for (int g = 0; g < 4; g++) {
        int first = 0, total = 0;
        for (int round = 0; round < g; round++) {
            int part = round;
#pragma acc loop vector reduction(+ : part)
            for (int i = 0; i < COLUMNS; i++)
                part += table[g][i];
            first += part;
        }
#pragma acc loop worker reduction(+ : total)
        for (int r = 0; r < ROWS / 4; r++) {
            int sum = first;
            for (int round = 0; round < r % 3; round++) {
#pragma acc loop vector reduction(+ : sum)
                for (int i = 0; i < COLUMNS; i++)
                    sum += table[g * (ROWS / 4) + r][i];
            }
            out[g * (ROWS / 4) + r] = sum;
            total += sum;
        }
        totals[g] = total;
    }
}

// Sizes that the launch decides: rows of one warp and of several, one row that is the whole gang.
static void sizes(int workers, int lanes, int *restrict out)
{
#pragma acc parallel num_gangs(3) num_workers(workers) vector_length(lanes) copyin(table) copyout(out[0 : ROWS])
#pragma acc loop gang worker
    for (int r = 0; r < ROWS; r++) {
        int sum = 0;
        for (int round = 0; round < r % 4; round++) {
#pragma acc loop vector reduction(+ : sum)
            for (int i = 0; i < COLUMNS; i++)
                sum += table[r][i];
        }
        out[r] = sum + squares(table[r], r);
    }
}

static void one_row(int *restrict out)
{
#pragma acc parallel num_gangs(3) num_workers(1) vector_length(256) copyin(table) copyout(out[0 : ROWS])
#pragma acc loop gang
    for (int r = 0; r < ROWS; r++) {
        int sum = r;
#pragma acc loop vector reduction(+ : sum)
        for (int i = 0; i < COLUMNS; i++)
            sum += table[r][i];
        out[r] = sum + squares(table[r], r);
    }
}

static int sum_of(int row, int n, int power)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += power == 1 ? value(row, i) : value(row, i) * value(row, i);
    return sum;
}

static int check(const char *what, const int *found, int (*expected)(int), int n)
{
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += found[i] != expected(i);
    printf("%s: %d wrong\n", what, wrong);
    return wrong;
}

static int of_skewed(int r)
{
    int sum = 0;
    for (int round = 0; round <= r % 6; round++)
        sum += 10 + round + (round % 2 ? sum_of(r, COLUMNS - round, 2) : 0);
    return sum;
}

static int of_one_row_works(int r)
{
    int g = r / (ROWS / 4), first = 0;
    for (int round = 0; round < g; round++)
        first += round + sum_of(g, COLUMNS, 1);
    return first + r % (ROWS / 4) % 3 * sum_of(r, COLUMNS, 1);
}

static int of_totals(int g)
{
    int total = 0;
    for (int r = 0; r < ROWS / 4; r++)
        total += of_one_row_works(g * (ROWS / 4) + r);
    return total;
}

static int of_sizes(int r) { return r % 4 * sum_of(r, COLUMNS, 1) + sum_of(r, r, 2); }

static int of_one_row(int r) { return r + sum_of(r, COLUMNS, 1) + sum_of(r, r, 2); }

int main(void)
{
    static int out[ROWS], totals[4];
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < COLUMNS; i++)
            table[r][i] = value(r, i);
    skewed(out);
    int wrong = check("skewed rows", out, of_skewed, ROWS);
    one_row_works(out, totals);
    wrong += check("one row works", out, of_one_row_works, ROWS);
    wrong += check("totals", totals, of_totals, 4);
    static const int shapes[][2] = { { 16, 64 }, { 5, 96 }, { 32, 32 }, { 1, 512 }, { 1, 32 }, { 3, 40 } };
    for (int i = 0; i < 6; i++) {
        sizes(shapes[i][0], shapes[i][1], out);
        wrong += check("sizes", out, of_sizes, ROWS);
    }
    one_row(out);
    return wrong + check("one row", out, of_one_row, ROWS) != 0;
}
