// Arrays whose rows have a length that is a variable: what the length was computed from when the array was
// declared, and the bound of the inner loop, are one number.
#include "show.h"
#define N 17
#define M 23

static void steps(int n, int m, int times, int (*restrict a)[m], int (*restrict b)[m])
{
    for (int t = 0; t < times; t++) {
#pragma acc kernels
        {
            for (int i = 1; i < n - 1; i++) // expect: parallel
                for (int j = 1; j < m - 1; j++) // expect: parallel
                    b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] + t;
            for (int i = 1; i < n - 1; i++) // expect: parallel
                for (int j = 1; j < m - 1; j++) // expect: parallel
                    a[i][j] = b[i][j] % 1000;
            for (int i = 1; i < n; i++) // expect: sequential: carried a, distance 1
                for (int j = 0; j < m; j++) // expect: parallel
                    a[i][j] += a[i - 1][j];
        }
    }
}

static void planes(int n, int (*restrict a)[n][n], int (*restrict b)[n][n])
{
#pragma acc kernels
    for (int i = 1; i < n - 1; i++) // expect: parallel
        for (int j = 0; j < n; j++) // expect: parallel
            for (int k = 0; k < n; k++) // expect: parallel
                b[i][j][k] = a[i - 1][k][j] + a[i + 1][j][k];
}

static int own(int n)
{
    int a[n][n], sum = 0;
#pragma acc kernels copyout(a)
    for (int i = 0; i < n; i++) // expect: parallel
        for (int j = 0; j < n; j++) // expect: parallel
            a[i][j] = i * j;
    for (int i = 0; i < n; i++)
        sum += a[i][n - 1 - i];
    return sum;
}

/* Behind a loop, a length that has a default. */
static int chosen(int words, int *given)
{
    int n = 12, sum = 0;
    if (words > 1)
        n = *given;
    for (int i = 0; i < words; i++)
        sum += i;
    int a[n][n];
#pragma acc kernels copyout(a)
    for (int i = 0; i < n; i++) // expect: parallel
        for (int j = 0; j < n; j++) // expect: parallel
            a[i][j] = i * j + sum;
    return a[n - 1][n - 2];
}

/* The rows have the length of the round before, or none. */
static int too_late(int times, int *p)
{
    int n = 5, sum = 0;
    for (int t = 0; t < times; t++) {
        int (*a)[n] = (int(*)[n])p;
        if (t == times - 1)
            n = 3;
#pragma acc kernels copy(p[0:N * M])
        for (int i = 0; i < 4; i++) // expect: versioned: if a
            for (int j = 0; j < n; j++) // expect: parallel
                a[i][j] = a[i][j] * 2 + i * 10 + j + t;
        sum += a[3][0];
    }
    return sum;
}

/* The length changes behind the declaration: rows keep the old one. */
static void changed(int n, int *p)
{
    int (*a)[n] = (int(*)[n])p;
    n *= 2;
#pragma acc kernels copy(p[0:N * M])
    for (int i = 0; i < 4; i++) // expect: parallel: reduction + p
        for (int j = 0; j < n; j++) // expect: parallel
            a[i][j] += i + j;
}

int main(void)
{
    static int a[N * M], b[N * M], c[N * N * N], d[N * N * N];
    fill(a, N * M, 35);
    fill(b, N * M, 36);
    steps(N, M, 3, (int(*)[M])a, (int(*)[M])b);
    show("a", a, N * M);
    fill(c, N * N * N, 37);
    fill(d, N * N * N, 38);
    planes(N, (int(*)[N][N])c, (int(*)[N][N])d);
    show("d", d, N * N * N);
    printf("%d\n", own(N));
    printf("%d\n", chosen(3, &(int){ 19 }));
    printf("%d\n", too_late(4, a));
    show("a", a, N * M);
    changed(8, b);
    show("b", b, N * M);
}
