// What a loop loads and stores at one address, which the source writes out twice, a local has in the loop; not
// so where the address is another one each time, or something else in the loop is stored there.
#include <stdio.h>

static int n = 5, at;
static float a[25], b[25], c[25];
static int few[8];

static void product(float *row, float *col, float *inner)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                inner[i * n + j] = inner[i * n + j] - row[i * n + k] * col[k * n + j];
}

// The index is in memory, and each store may be to it.
static void moving(int *p, int *index, int m)
{
    for (int k = 0; k < m; k++)
        p[*index * 2 + 1] = p[*index * 2 + 1] + k + 1;
}

// The second place is the first one of the next iteration.
static void stepping(int *p, int m)
{
    int *q = p + at * 2;
    for (int k = 0; k < m; k++) {
        int x = q[at * 2];
        q++;
        q[at * 2] = x + k;
    }
}

int main(void)
{
    for (int i = 0; i < 25; i++) {
        a[i] = i % 7;
        b[i] = i % 3;
        c[i] = i;
    }
    product(a, b, c);
    product(a, c, b);
    // Each column is changed while it is read.
    product(a, c, c);
    float sum = 0;
    for (int i = 0; i < 25; i++)
        sum += (i % 4 + 1) * (c[i] + b[i]);
    printf("%g %g %g\n", sum, b[7], c[13]);

    moving(few, &few[0], 4);
    moving(few, &few[1], 3);
    printf("%d %d %d %d\n", few[0], few[1], few[2], few[3]);
    few[1] = 0;
    moving(few, &few[1], 2);
    printf("%d %d %d %d\n", few[0], few[1], few[2], few[3]);
    few[0] = 3;
    stepping(few, 5);
    for (int i = 0; i < 8; i++)
        printf("%d ", few[i]);

    float d[25];
#pragma acc parallel loop copyout(d) copyin(a, b) firstprivate(n)
    for (int i = 0; i < 25; i++) {
        d[i / n * n + i % n] = i;
        for (int k = 0; k < 5; k++)
            d[i / n * n + i % n] = d[i / n * n + i % n] - a[i / n * n + k] * b[k * n + i % n];
    }
    sum = 0;
    for (int i = 0; i < 25; i++)
        sum += (i % 4 + 1) * d[i];
    printf("\n%g\n", sum);
    return 0;
}
