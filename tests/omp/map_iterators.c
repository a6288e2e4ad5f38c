// options: -fopenmp
// Iterators of `map`, `to` and `from` whose items are no sections: rows behind an array of pointers, of which
// each value of the iterators gives one.
#include <stdio.h>
#include <stdlib.h>

enum { rows = 6, columns = 5 };

static int twice(int row) { return 2 * row; }

static long total(int **table)
{
    long sum = 0;
#pragma omp target map(from: sum)
    {
        sum = 0;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                sum = 3 * sum % 100003 + table[i][j];
    }
    return sum;
}

static void fill(int **table, int by)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            table[i][j] = by * i + j;
}

int main(void)
{
    int *table[rows], *triangle[3], seen = 0;
    double sum = 0;
    for (int i = 0; i < rows; i++)
        table[i] = malloc(columns * sizeof(int));
    fill(table, 7);

#pragma omp target enter data map(to: table)
#pragma omp target enter data map(iterator(i = 0:6), to: table[i][:columns])
    printf("%ld\n", total(table));

    fill(table, 11);
#pragma omp target update to(iterator(i = 0:6 / 2): table[twice(i)][:columns])
#pragma omp target update to(iterator(i = 5:-1:-2): table[i][:columns])
    printf("%ld\n", total(table));

#pragma omp target
    for (int i = 0; i < rows; i++)
        table[i][0] = -i;
#pragma omp target update from(iterator(int i = 0:3, j = 0:2): table[2 * i + j][0:1])
    for (int i = 0; i < rows; i++)
        seen += table[i][0];
    printf("%d\n", seen);
#pragma omp target exit data map(iterator(i = 0:6), delete: table[i][:columns])
#pragma omp target exit data map(delete: table)

    // Of a construct, beside the array that holds the pointers; no item for an empty range.
    fill(table, 2);
#pragma omp target data map(iterator(i = 0:6), tofrom: table[i][:columns]) map(to: table)
#pragma omp target map(iterator(i = 3:3), to: table[i][:columns]) map(tofrom: sum)
    for (int i = 0; i < rows; i++) {
        sum += table[i][1];
        table[i][2] = 100 * i;
    }
    printf("%g %d %d\n", sum, table[1][2], table[5][2]);

    // Ranges that begin where another iterator is.
    for (int i = 0; i < 3; i++)
        triangle[i] = calloc(4, sizeof(int));
#pragma omp target map(to: triangle) map(iterator(i = 0:3, j = i:i + 1), tofrom: triangle[j][0:4])
    for (int i = 0; i < 3; i++)
        triangle[i][3] = i + 1;
    printf("%d %d %d\n", triangle[0][3], triangle[1][3], triangle[2][3]);
    return 0;
}
