// options: -fopenmp
// `tile`, `interchange` and `reverse` give the iterations of a nest the order that they say.
#include <stdio.h>

enum { ROWS = 6, COLUMNS = 7 };

static int order[ROWS][COLUMNS];

static void show(const char *what)
{
    printf("%s:\n", what);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            printf("%d%c", order[i][j], j + 1 < COLUMNS ? ' ' : '\n');
}

static void tile(int rows, int size)
{
    int at = 0;
#pragma omp tile sizes(size, 3)
    for (int i = 0; i < rows; i++)
        for (int j = COLUMNS - 1; j >= 0; j--) {
            int number = at++;
            if (i == 5 && j == 2)
                continue;
            order[i][j] = number;
        }
    show("tile");
#pragma omp tile sizes(size)
    for (int i = 3; i < rows - 5; i++)
        puts("never");
}

static void interchange(void)
{
    int at = 0, numbers[2][3][4];
#pragma omp interchange
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j += 3)
            order[i][j] = at++;
    show("interchange");

    at = 0;
#pragma omp interchange permutation(3, 1, 2)
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++)
                numbers[i][j][k] = at++;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++)
                printf("%d ", numbers[i][j][k]);
    printf("\n");
}

static void reverse(void)
{
    double values[12], *place;
    int at = 0, sum = 0;
#pragma omp reverse
    for (place = values; place != values + 12; place += 3)
        *place = at++;
    printf("reverse: %g %g %g %g\n", values[0], values[3], values[6], values[9]);

    // Threads share the iterations, in whatever order.
#pragma omp parallel for reduction(+ : sum)
#pragma omp reverse
    for (int i = 0; i < 10; i++)
        sum += i;
    printf("%d\n", sum);
}

int main(void)
{
    tile(ROWS, 4);
    interchange();
    reverse();

    int device[ROWS][COLUMNS] = {0};
#pragma omp target map(tofrom : device)
    {
        int at = 0;
#pragma omp tile sizes(2, 2)
        for (int i = 0; i < ROWS; i++)
#pragma omp unroll
            for (int j = 0; j < COLUMNS; j++)
                device[i][j] = at++;
    }
    printf("target: %d %d %d\n", device[0][1], device[0][2], device[5][6]);
}
