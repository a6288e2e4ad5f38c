/* n products of matrices of 3 by 3, each an array in a structure by value. */
#include "../loops/timing.h"

typedef struct {
    double a[3][3];
} matrix;

static matrix times(matrix m, matrix n)
{
    matrix r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += m.a[i][k] * n.a[k][j];
            r.a[i][j] = sum;
        }
    return r;
}

static double trace(matrix m)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += m.a[i][i];
    return sum;
}

matrix *list;

void setup(long n)
{
    list = array(n, sizeof *list);
    for (long i = 0; i < n; i++)
        for (int j = 0; j < 9; j++)
            list[i].a[j / 3][j % 3] = i % 5 + j;
}

double kernel(long n)
{
    double sum = 0;
    for (long i = 1; i < n; i++)
        sum += trace(times(list[i], list[i - 1]));
    return sum;
}
