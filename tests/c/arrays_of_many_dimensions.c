// Arrays of up to six dimensions: initialisers, decay, sizes, strides, pointers to sub-arrays, parameters.
#include <stdio.h>
#include <string.h>

static int a[2][3][2][2][3][2];
static const int given[2][2][3] = {{{1, 2, 3}, {4}}, {{5, 6}, {7, 8, 9}}};
static double flat[2][2] = {1, 2, 3};

static long sum(int (*p)[3][2][2][3][2], int n)
{
    long s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 2; k++)
                for (int l = 0; l < 2; l++)
                    for (int m = 0; m < 3; m++)
                        for (int o = 0; o < 2; o++)
                            s += p[i][j][k][l][m][o] * (o + 1);
    return s;
}

int main(void)
{
    int n = 0;
    for (int *p = &a[0][0][0][0][0][0]; n < 144; n++)
        p[n] = n;
    printf("%zu %zu %zu %zu\n", sizeof a, sizeof a[0], sizeof a[0][0][0], sizeof a[1][2][1][1][2]);
    printf("%d %d %d\n", a[1][2][1][1][2][1], a[1][0][0][0][0][0], a[0][1][0][1][1][0]);
    printf("%ld %ld\n", sum(a, 2), sum(a + 1, 1));
    printf("%d %d\n", *****a[1] == a[1][0][0][0][0][0], (int)(&a[1][1] - &a[0][2]));
    int(*sub)[2][3][2] = a[1][1];
    printf("%d\n", sub[1][0][2][1]);
    printf("%d %d %d %d\n", given[0][1][0], given[0][1][2], given[1][0][1], given[1][1][2]);
    printf("%g %g\n", flat[1][0], flat[1][1]);
    int local[3][4][5] = {[1] = {[2] = {3}}, [2][3][4] = 7};
    int copy[3][4][5];
    memcpy(copy, local, sizeof copy);
    printf("%d %d %d\n", copy[1][2][0], copy[2][3][4], copy[0][0][0]);
    char words[][3][6] = {{"one", "two"}, {"three"}};
    printf("%zu %s %s %d\n", sizeof words, words[0][1], words[1][0], words[1][2][0]);
    int index = 1;
    printf("%d %d\n", index[given][1][2], 2[index[given][1]]);
    return 0;
}
