// One sum over a gang and worker loop and the vector loop inside it; 2-D sums must not lose whole rows.
// also: --gangs 3
#include <stdio.h>

enum { ROWS = 70, COLUMNS = 130 };
static int a[ROWS][COLUMNS];

int main(void)
{
    long expected = 1000, sum = 1000, both = 1000, rows = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            expected += a[i][j] = i * 3 + j;

#pragma acc parallel loop gang worker reduction(+:sum) copyin(a) num_workers(4) vector_length(32)
    for (int i = 0; i < ROWS; i++) {
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < COLUMNS; j++)
            sum += a[i][j];
    }

    // The same in one collapsed loop, and with a count of rows beside it.
#pragma acc parallel loop collapse(2) gang worker vector reduction(+:both) copyin(a)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            both += a[i][j];
#pragma acc parallel loop gang worker reduction(+:rows) copyin(a)
    for (int i = 0; i < ROWS; i++) {
        int row = 0;
#pragma acc loop vector reduction(+:row)
        for (int j = 0; j < COLUMNS; j++)
            row += a[i][j];
        rows += row == COLUMNS * 3 * i + COLUMNS * (COLUMNS - 1) / 2;
    }
    if (sum != expected || both != expected || rows != ROWS) {
        printf("expected %ld: nested %ld, collapsed %ld, rows %ld\n", expected, sum, both, rows);
        return 1;
    }
    return 0;
}
