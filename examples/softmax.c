// Softmax over long rows: vectors of 1024 lanes, as many gangs as the program computes it needs, a maximum and a sum per row.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const int rows = argc > 1 ? atoi(argv[1]) : 40, columns = 3000;
    float *x = malloc(sizeof(float) * rows * columns);
    for (int i = 0; i < rows * columns; i++)
        x[i] = (float)(i % 911) / 100;
    int gangs = rows < 132 ? rows : 132;
#pragma acc parallel loop gang num_gangs(gangs) vector_length(1024) copy(x[0 : rows * columns])
    for (int r = 0; r < rows; r++) {
        float *row = x + r * columns, most = -INFINITY, sum = 0;
#pragma acc loop vector reduction(max : most)
        for (int c = 0; c < columns; c++)
            most = fmaxf(most, row[c]);
#pragma acc loop vector reduction(+ : sum)
        for (int c = 0; c < columns; c++)
            sum += row[c] = expf(row[c] - most);
#pragma acc loop vector
        for (int c = 0; c < columns; c++)
            row[c] /= sum;
    }
    double total = 0, most = 0;
    for (int i = 0; i < rows * columns; i++) {
        total += x[i];
        most = x[i] > most ? x[i] : most;
    }
    printf("%d rows: %.3f in all, %.6f at most\n", rows, total, most);
    free(x);
    return 0;
}
