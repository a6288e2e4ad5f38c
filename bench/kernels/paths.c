/* The shortest ways between all of n places (Floyd and Warshall). */
#include "../loops/timing.h"

int *ways, *found;

void setup(long n)
{
    ways = array(n * n, sizeof *ways);
    found = array(n * n, sizeof *found);
    for (long i = 0; i < n * n; i++)
        ways[i] = 1 + i * 7919 % 997;
}

static void shorten(int n, int way[n][n])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                way[i][j] = way[i][j] < way[i][k] + way[k][j] ? way[i][j] : way[i][k] + way[k][j];
}

double kernel(long n)
{
    for (long i = 0; i < n * n; i++)
        found[i] = ways[i];
    shorten(n, (void *)found);
    long sum = 0;
    for (long i = 0; i < n * n; i++)
        sum += found[i];
    return sum;
}
