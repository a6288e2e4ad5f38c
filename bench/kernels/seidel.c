/* A sweep of the nine-point stencil in place: each value needs the one before it. */
#include "../loops/timing.h"

enum { WIDTH = 256 };

double (*grid)[WIDTH];

void setup(long n)
{
    grid = array(n * WIDTH, sizeof(double));
    for (long i = 0; i < n; i++)
        for (long j = 0; j < WIDTH; j++)
            grid[i][j] = (i * (j + 2) + 2) % 17;
}

double kernel(long n)
{
    double (*a)[WIDTH] = grid;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < WIDTH - 1; j++)
            a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j] +
                       a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]) / 9;
    return a[n / 2][WIDTH / 2];
}
