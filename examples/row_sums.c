// Nested reductions: a sum per row by the vector lanes, the largest row by the gangs, the total over everything.
#include <stdio.h>

enum { ROWS = 200, COLUMNS = 333 };
static int table[ROWS][COLUMNS];
static long sums[ROWS];

int main(void)
{
    long total = 0, largest = 0;

    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            table[i][j] = (i * 31 + j * 17) % 101;

#pragma acc parallel loop gang worker reduction(+:total) reduction(max:largest) copyin(table) copyout(sums)
    for (int i = 0; i < ROWS; i++) {
        long row = 0;
#pragma acc loop vector reduction(+:row)
        for (int j = 0; j < COLUMNS; j++)
            row += table[i][j];
        sums[i] = row;
        total += row;
        largest = row > largest ? row : largest;
    }
    printf("first row %ld, last row %ld, largest %ld, total %ld\n", sums[0], sums[ROWS - 1], largest, total);
    return 0;
}
