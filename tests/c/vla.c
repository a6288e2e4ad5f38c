// Variable-length arrays: several dimensions, sizeof, pointers to them, parameters, typedefs, scopes and jumps.
#include <stdio.h>
#include <stdlib.h>

static long trace(int n, int m, int a[n][m])
{
    long t = 0;
    for (int i = 0; i < n && i < m; i++)
        t += a[i][i];
    return t;
}

static double mean(int n, double (*p)[n])
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += (*p)[i];
    return s / n;
}

static int calls;
static int count(void) { return ++calls + 2; }

static int star(int n, int a[*]);
static int star(int n, int a[n]) { return a[n - 1]; }

int main(void)
{
    for (int n = 1; n <= 4; n++) {
        int a[n][n + 1];
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= n; j++)
                a[i][j] = i * 10 + j;
        printf("%zu %zu %ld\n", sizeof a, sizeof a[0], trace(n, n + 1, a));
    }
    int n = 3;
    int b[n];
    n = 100;
    printf("%zu\n", sizeof b / sizeof *b);
    typedef float line[count()];
    line x, y;
    printf("%d %zu %zu\n", calls, sizeof x, sizeof(line));
    (void)y;
    double values[5] = {1, 2, 3, 4, 5};
    printf("%g\n", mean(5, &values));
    int rows = 3, columns = 4;
    int(*grid)[columns] = malloc(rows * sizeof *grid);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            grid[i][j] = i * columns + j;
    printf("%d %d %d\n", grid[2][3], *grid[1], (int)((char *)(grid + 1) - (char *)grid));
    int(*last)[columns] = grid + rows - 1;
    printf("%d %ld\n", (*last)[0], (long)(last - grid));
    free(grid);
    double(*cube)[rows][columns] = malloc(2 * sizeof *cube);
    cube[1][2][3] = 6.5;
    printf("%zu %g\n", sizeof *cube, ((double *)cube)[23]);
    free(cube);
    printf("%d\n", star(3, (int[]){4, 5, 6}));
    int i = 0;
again:;
    int local[i + 1];
    local[i] = i;
    if (local[i] < 5) {
        i++;
        goto again;
    }
    printf("%d %zu\n", i, sizeof local);
    size_t side = sizeof(int[count()]);
    printf("%zu %d\n", side, calls);
    return 0;
}
