/* How much 32 columns of n rows of numbers have to do with each other. */
#include "../loops/timing.h"
#include <math.h>

enum { COLUMNS = 32 };

float (*data)[COLUMNS], (*result)[COLUMNS];

void setup(long n)
{
    data = array(n, sizeof *data);
    result = array(COLUMNS, sizeof *result);
    for (long i = 0; i < n; i++)
        for (int j = 0; j < COLUMNS; j++)
            data[i][j] = (i * (j + 3)) % 29 + 0.25f * j;
}

double kernel(long n)
{
    float mean[COLUMNS] = {0}, deviation[COLUMNS] = {0};
    for (long i = 0; i < n; i++)
        for (int j = 0; j < COLUMNS; j++)
            mean[j] += data[i][j];
    for (int j = 0; j < COLUMNS; j++)
        mean[j] /= n;
    for (long i = 0; i < n; i++)
        for (int j = 0; j < COLUMNS; j++)
            deviation[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
    for (int j = 0; j < COLUMNS; j++)
        deviation[j] = sqrtf(deviation[j]);
    for (int p = 0; p < COLUMNS; p++)
        for (int q = p; q < COLUMNS; q++) {
            float sum = 0;
            for (long i = 0; i < n; i++)
                sum += (data[i][p] - mean[p]) * (data[i][q] - mean[q]);
            result[p][q] = result[q][p] = sum / (deviation[p] * deviation[q]);
        }
    return result[1][2] + result[COLUMNS - 1][0];
}
