/* Nests so long that a thread of a GPU executes several iterations together, with edges that fit no tile: products, sums along one
   side, neighbours, another loop around. Each is computed once more by plain loops. */
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 523, COLUMNS = 517, DEPTH = 3, LAYERS = 2 };

static double a[ROWS][DEPTH], b[DEPTH][COLUMNS], c[ROWS][COLUMNS], expected[ROWS][COLUMNS];
static float image[ROWS][COLUMNS], taps[3][3], filtered[ROWS][COLUMNS];
static int number[LAYERS][ROWS][COLUMNS], first[LAYERS][ROWS], second[COLUMNS];
static long skewed[ROWS * COLUMNS];

static int failures;

static void check(const char *what, int is_right)
{
    printf("%s %s\n", what, is_right ? "right" : "wrong");
    failures += !is_right;
}

static void product(int n, int m, int k)
{
#pragma acc parallel loop collapse(2) copyin(a, b) copyout(c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0.5;
            for (int l = 0; l < k; l++)
                sum += a[i][l] * b[l][j];
            c[i][j] = sum;
        }
}

static void product_of_kernels(int n, int m, int k)
{
#pragma acc kernels copyin(a, b) copy(c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int l = 0; l < k; l++)
                c[i][j] += a[i][l] * b[l][j];
}

static void compare(const char *what)
{
    int is_right = 1;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            is_right &= c[i][j] == expected[i][j];
    check(what, is_right);
}

static void products(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int l = 0; l < DEPTH; l++)
            a[i][l] = (i * 7 + l) % 13;
    for (int l = 0; l < DEPTH; l++)
        for (int j = 0; j < COLUMNS; j++)
            b[l][j] = (l * 5 + j * 3) % 11;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            expected[i][j] = 0.5;
            for (int l = 0; l < DEPTH; l++)
                expected[i][j] += a[i][l] * b[l][j];
        }
    product(ROWS, COLUMNS, DEPTH);
    compare("product");
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            c[i][j] = 1;
            expected[i][j] = 1;
            for (int l = 0; l < DEPTH; l++)
                expected[i][j] += a[i][l] * b[l][j];
        }
    product_of_kernels(ROWS, COLUMNS, DEPTH);
    compare("product of kernels");
}

static void filter(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            image[i][j] = (i * 31 + j * 17) % 64;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            taps[i][j] = i + 2 * j;
    int height = 3, width = 3;
#pragma acc parallel loop collapse(2) copyin(image, taps) copy(filtered)
    for (int i = 1; i < ROWS - 1; i++)
        for (int j = 1; j < COLUMNS - 1; j++) {
            float sum = 0;
            for (int k = 0; k < height; k++)
                for (int l = 0; l < width; l++)
                    sum += image[i + k - 1][j + l - 1] * taps[k][l];
            filtered[i][j] = sum;
        }
    int is_right = 1;
    for (int i = 1; i < ROWS - 1; i++)
        for (int j = 1; j < COLUMNS - 1; j++) {
            float sum = 0;
            for (int k = 0; k < height; k++)
                for (int l = 0; l < width; l++)
                    sum += image[i + k - 1][j + l - 1] * taps[k][l];
            is_right &= filtered[i][j] == sum;
        }
    check("filter", is_right);
}

static void layers(int steps)
{
    for (int l = 0; l < LAYERS; l++)
        for (int i = 0; i < ROWS; i++)
            first[l][i] = l * 1000 + i;
    for (int j = 0; j < COLUMNS; j++)
        second[j] = 3 * j + 1;
    int *row = &first[0][0], *column = second;
#pragma acc parallel loop collapse(3) copyin(row[0 : LAYERS * ROWS], column[0 : COLUMNS]) copy(number)
    for (int l = 0; l < LAYERS; l++)
        for (int i = ROWS - 1; i >= 0; i--)
            for (int j = 0; j < COLUMNS; j += 1) {
                int last = 0;
                for (int step = 0; step < steps; step++) {
                    last = (last + row[l * ROWS + i] * step) ^ column[j];
                    number[l][i][j] += last;
                }
            }
    int is_right = 1;
    for (int l = 0; l < LAYERS; l++)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++) {
                int last = 0, sum = 0;
                for (int step = 0; step < steps; step++) {
                    last = (last + first[l][i] * step) ^ second[j];
                    sum += last;
                }
                is_right &= number[l][i][j] == sum;
            }
    check("layers", is_right);
}

/* The inner loop is not equally long for all iterations: they cannot be executed together. */
static void different(void)
{
#pragma acc parallel loop collapse(2) copyin(second) copyout(skewed)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            long sum = 0;
            for (int k = 0; k < i % 4; k++)
                sum += second[j] + second[k];
            skewed[i * COLUMNS + j] = sum;
        }
    int is_right = 1;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            long sum = 0;
            for (int k = 0; k < i % 4; k++)
                sum += second[j] + second[k];
            is_right &= skewed[i * COLUMNS + j] == sum;
        }
    check("different", is_right);
}

/* Each iteration has an array of its own. */
static void arrays(int n)
{
#pragma acc parallel loop collapse(2) copyin(first, second) copyout(skewed)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            int own[4];
            for (int k = 0; k < n; k++)
                own[k] = first[0][i] * k + second[j];
            long sum = 0;
            for (int k = 0; k < n; k++)
                sum = sum * 3 + own[n - 1 - k];
            skewed[i * COLUMNS + j] = sum;
        }
    int is_right = 1;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            long sum = 0;
            for (int k = n - 1; k >= 0; k--)
                sum = sum * 3 + (first[0][i] * k + second[j]);
            is_right &= skewed[i * COLUMNS + j] == sum;
        }
    check("arrays", is_right);
}

/* The sum of all iterations is not one thread's affair. */
static void total(int n)
{
    long sum = 0;
#pragma acc parallel loop collapse(2) copyin(first, second) reduction(+ : sum)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            for (int k = 0; k < n; k++)
                sum += first[1][i] * k - second[j];
    long expected = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            for (int k = 0; k < n; k++)
                expected += first[1][i] * k - second[j];
    check("total", sum == expected);
}

int main(void)
{
    products();
    filter();
    layers(3);
    different();
    arrays(4);
    total(2);
    return failures != 0;
}
