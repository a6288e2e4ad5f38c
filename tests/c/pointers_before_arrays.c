// Pointers in front of an array, as programs with indices from 1 have them.
#include <stdio.h>
#include <string.h>

struct big {
    char bytes[300];
};

static int from_one(int n)
{
    int a[4] = {1, 2, 3, 4}, sum = 0;
    int *p = a - 1;
    for (int i = 1; i <= n; i++)
        sum += p[i] * i;
    return sum;
}

static int far(int k)
{
    char b[8];
    struct big bigs[2];
    memset(b, 5, sizeof b);
    memset(bigs, 6, sizeof bigs);
    char *r = b - 9;
    struct big *s = bigs - 3;
    long distance = (long)(&bigs[0] - s);
    return r[9 + k] * 100 + s[4].bytes[k] * 10 + (int)distance;
}

int main(void)
{
    double rows[3][2] = {{1, 2}, {3, 4}, {5, 6}};
    double(*row)[2] = rows - 2;
    printf("%d %d %g\n", from_one(4), far(7), row[4][1]);
    return 0;
}
