// options: -Wno-repeated-variable
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 6, COLUMNS = 7 };

/* One clause copies what another one of the directive just makes: the copy is made. */
int main(void) {
    float table[ROWS][COLUMNS];
    int n = 30, part[10], *all = malloc(100 * sizeof *all);
    for (int i = 0; i < 100; i++) all[i] = i;
    for (int i = 0; i < 10; i++) part[i] = 100 + i;
    #pragma acc data create(table) copyout(table[0:ROWS][0:COLUMNS])
    {
        #pragma acc parallel loop collapse(2) present(table)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++) table[i][j] = 10 * i + j;
    }
    float sum = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) sum = sum * 0.5f + table[i][j];
    #pragma acc data create(all[0:100]) copyout(all[0:n]) copyin(part) copyout(part[2:3])
    {
        #pragma acc parallel loop present(all[0:100], part)
        for (int i = 0; i < 100; i++) {
            all[i] = -i;
            if (i < 10) part[i] += 1;
        }
    }
    printf("%.3f %d %d %d %d\n", sum, all[3], all[29], part[2], part[4]);
    free(all);
    return 0;
}
