// What shapes.c and shapes.cu have in common: sizes and data.
#include <math.h>
#include <stdint.h>

enum {
    N = 1 << 25,  // elements of vectors of float or int, half as many of double
    EDGE = 251,   // of a cube of double
    NODES = 1000, // of a table, and bins
    FEW = 24,     // columns of a long matrix
    MATCHED = 8,  // letters that are searched for
};

/// Numbers between zero and one, and places anywhere in a vector.
static void fill(float *a, double *wide, int *at)
{
    for (int i = 0; i < N; i++) {
        unsigned hash = i * 2654435761u;
        hash = (hash ^ hash >> 15) * 2246822519u;
        hash ^= hash >> 13;
        a[i] = (hash >> 8) * 0x1p-24f;
        at[i] = hash >> 7;
    }
    for (int i = 0; i < N / 2; i++)
        wide[i] = (a[i] + a[N / 2 + i]) / 2;
}

/// Rows of a sparse matrix: 0 to 199 elements, 30 in the mean. Gives how many elements there are.
static int fill_rows(int rows, int *start)
{
    int count = 0;
    for (int row = 0; row < rows; row++) {
        start[row] = count;
        count += row % 10 == 3 ? 60 + row % 140 : row % 37;
    }
    start[rows] = count;
    return count;
}
