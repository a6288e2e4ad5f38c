/* Sums, products and extremes of columns whose loops name gangs around vector lanes: of few columns and of many,
   short ones and long ones, one loop in a region, two of them, and with what a gang has of its own. */
#include <stdio.h>
#include <stdlib.h>

static void sums(int n, int m, const int *restrict a, const int *restrict x, long *restrict y)
{
#pragma acc parallel loop gang copyin(a[0:n * m], x[0:n]) copyout(y[0:m])
    for (int j = 0; j < m; j++) {
        long sum = j;
#pragma acc loop vector reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += (long)a[i * m + j] * x[i];
        y[j] = sum;
    }
}

static void extremes(int n, int m, const int *restrict a, int *restrict least, int *restrict most)
{
#pragma acc parallel copyin(a[0:n * m]) copyout(least[0:m], most[0:m])
    {
#pragma acc loop gang worker
        for (int j = 0; j < m; j++) {
            int of_column = 1 << 30;
#pragma acc loop vector reduction(min : of_column)
            for (int i = 0; i < n; i++)
                of_column = a[i * m + j] < of_column ? a[i * m + j] : of_column;
            least[j] = of_column;
        }
#pragma acc loop gang worker
        for (int j = 0; j < m; j++) {
            int of_column = -(1 << 30), bits = 0;
#pragma acc loop vector reduction(max : of_column) reduction(| : bits)
            for (int i = 0; i < n; i++) {
                of_column = a[i * m + j] > of_column ? a[i * m + j] : of_column;
                bits |= a[i * m + j];
            }
            most[j] = of_column ^ bits;
        }
    }
}

/* Each gang counts its own columns: they stay its own. */
static int counted(int n, int m, const int *restrict a, long *restrict y)
{
    int all = 0;
#pragma acc parallel copyin(a[0:n * m]) copyout(y[0:m]) reduction(+ : all)
    {
        int own = 0;
#pragma acc loop gang
        for (int j = 0; j < m; j++) {
            long sum = 0;
#pragma acc loop vector reduction(+ : sum)
            for (int i = 0; i < n; i++)
                sum += a[i * m + j];
            y[j] = sum;
            own++;
        }
        all += own;
    }
    return all;
}

static int wrong(int n, int m)
{
    int *a = malloc(sizeof(int) * n * m), *x = malloc(sizeof(int) * n), *least = malloc(sizeof(int) * m), *most = malloc(sizeof(int) * m);
    long *y = malloc(sizeof(long) * m), *z = malloc(sizeof(long) * m);
    for (int i = 0; i < n * m; i++)
        a[i] = (i * 7919 ^ i >> 3) % 10007;
    for (int i = 0; i < n; i++)
        x[i] = i % 13 - 5;
    sums(n, m, a, x, y);
    extremes(n, m, a, least, most);
    int count = counted(n, m, a, z) != m;
    for (int j = 0; j < m; j++) {
        long sum = j, plain = 0;
        int low = 1 << 30, high = -(1 << 30), bits = 0;
        for (int i = 0; i < n; i++) {
            int value = a[i * m + j];
            sum += (long)value * x[i];
            plain += value;
            low = value < low ? value : low;
            high = value > high ? value : high;
            bits |= value;
        }
        count += y[j] != sum || z[j] != plain || least[j] != low || most[j] != (high ^ bits);
    }
    free(a), free(x), free(y), free(z), free(least), free(most);
    return count;
}

int main(void)
{
    printf("%d %d %d %d %d %d\n", wrong(1000, 7), wrong(300, 33), wrong(129, 1100), wrong(5, 900), wrong(1, 1), wrong(130, 5000));
    return 0;
}
