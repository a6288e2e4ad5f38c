// Merged nests in which a thread executes several rows together: rows and planes that are left over, rows that do not
// fill the threads that share them, first values, steps and directions other than 0 and 1, results in several objects,
// an object for each iteration, and nests that are too small, too narrow or empty.
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1100000 };
static int *x, *y, *z;

static long sum_of(const int *from)
{
    long total = 0;
    for (int i = 0; i < MOST; i++)
        total = (total * 31 + from[i]) % 1000003;
    return total;
}

static long plane(int rows, int columns)
{
#pragma acc parallel loop collapse(2) copyin(x[0:MOST]) copy(y[0:MOST])
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++)
            y[i * columns + j] = x[(i - 1) * columns + j] + 3 * x[(i + 1) * columns + j] - x[i * columns + j - 1]
                + 5 * x[i * columns + j + 1] + y[i * columns + j];
    return sum_of(y);
}

static long backwards(int first, int last, int columns)
{
#pragma acc parallel loop gang copyin(x[0:MOST]) copy(y[0:MOST], z[0:MOST])
    for (int i = last; i > first; i -= 2) {
#pragma acc loop vector
        for (int j = columns - 1; j >= 0; j--) {
            int near[2] = { x[i * columns + j], x[(i - 1) * columns + j] };
            y[i * columns + j] += near[j & 1] * 7;
            z[(i - 1) * columns + j] -= near[0] + i;
        }
    }
    return sum_of(y) + sum_of(z);
}

static long boxes(int planes, int rows, int columns)
{
#pragma acc kernels loop independent collapse(3) copyin(x[0:MOST]) copy(z[0:MOST])
    for (int h = 0; h < planes; h++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++) {
                long at = ((long)h * rows + i) * columns + j;
                z[at] = x[at] * (h + 1) + (z[at] & 63) * i - j;
            }
    return sum_of(z);
}

int main(void)
{
    x = malloc(MOST * sizeof *x);
    y = malloc(MOST * sizeof *y);
    z = malloc(MOST * sizeof *z);
    for (int i = 0; i < MOST; i++) {
        x[i] = (int)((unsigned)i * 2654435761u >> 24);
        y[i] = i % 17;
        z[i] = i % 13;
    }
    const int sides[][2] = { { 530, 2050 }, { 3600, 300 }, { 3, 3 }, { 2, 9 } };
    for (int n = 0; n < 4; n++)
        printf("%ld\n", plane(sides[n][0], sides[n][1]));
    printf("%ld\n", backwards(0, 1029, 1024));
    printf("%ld\n", backwards(7, 6, 100));
    printf("%ld\n", boxes(5, 14, 15001));
    printf("%ld\n", boxes(1, 1048576, 1));
    printf("%ld\n", boxes(3, 0, 5));
    return 0;
}
