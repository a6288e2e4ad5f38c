// A function called from the device: `routine vector` says that it has a vector loop, so each gang's lanes share it.
#include <stdio.h>

enum { ROWS = 64, COLUMNS = 500 };
static float matrix[ROWS][COLUMNS];
static float lengths[ROWS];

#pragma acc routine seq
static float square(float x)
{
    return x * x;
}

#pragma acc routine vector
static float sum_of_squares(const float *row, int n)
{
    float sum = 0;
#pragma acc loop vector reduction(+:sum)
    for (int i = 0; i < n; i++)
        sum += square(row[i]);
    return sum;
}

int main(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            matrix[i][j] = (i + j) % 6 - 2.5f;

#pragma acc parallel loop gang copyin(matrix) copyout(lengths)
    for (int i = 0; i < ROWS; i++)
        lengths[i] = sum_of_squares(matrix[i], COLUMNS);

    printf("row 0: %g, row 1: %g, row 63: %g\n", lengths[0], lengths[1], lengths[63]);
    return 0;
}
