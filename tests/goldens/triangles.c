/* Triangles of iterations, and tests around bodies: each element has what the definition says. */
#include "../../golden/cases/explain/triangles.c"
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = TRIANGLE_ROWS, SHARED = TRIANGLE_SHARED };

static int a[ROWS * SHARED], c[ROWS * ROWS], before[ROWS * ROWS];

static int of_rows(int i, int j)
{
    int sum = 0;
    for (int k = 0; k < SHARED; k++)
        sum += a[i * SHARED + k] * a[j * SHARED + k];
    return sum;
}

static int of_columns(int n, int i, int j)
{
    int sum = 0;
    for (int k = 0; k < SHARED; k++)
        sum += a[k * n + i] * a[k * n + j];
    return sum;
}

static void begin(void)
{
    for (int i = 0; i < ROWS * ROWS; i++)
        c[i] = before[i] = i % 13;
}

static void end(const char *name, int wrong)
{
    printf("%s: %d wrong\n", name, wrong);
}

int main(void)
{
    for (int i = 0; i < ROWS * SHARED; i++)
        a[i] = i * 37 % 11;
    for (int n = ROWS; n > 10; n = n > 1030 ? 1029 : n / 20) {
        int wrong = 0;
        begin();
        triangle_below(n, SHARED, a, c);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                wrong += c[i * n + j] != (j <= i ? 3 * before[i * n + j] + of_rows(i, j) : before[i * n + j]);
        end("triangle_below", wrong);
        wrong = 0;
        begin();
        triangle_above(n, SHARED, a, c);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int sum = of_columns(n, i, j);
                wrong += c[i * n + j] != (i == j ? before[i * n + j] : j > i ? sum : -sum);
            }
        end("triangle_above", wrong);
        wrong = 0;
        begin();
        triangle_of_products(n, a, c);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                wrong += c[i * n + j] != before[i * n + j] + (j <= i ? a[i] * a[j] : 0);
        end("triangle_of_products", wrong);
        wrong = 0;
        begin();
        triangle_of_sums(n, SHARED, a, c);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int sum = 0;
                for (int k = 0; k < (i + j) % SHARED; k++)
                    sum += a[i * SHARED + k] * a[j * SHARED + k];
                wrong += c[i * n + j] != (j <= i ? sum : before[i * n + j]);
            }
        end("triangle_of_sums", wrong);
        wrong = 0;
        begin();
        some_of_all(n, SHARED, a, c);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                wrong += c[i * n + j] != before[i * n + j] + ((i ^ j) & 5 ? 0 : of_columns(n, i, j));
        end("some_of_all", wrong);
    }
    return 0;
}
