// options: -fopenmp
// Loops of `target` give arrays their last values, and begin with the first ones of variables that they give
// back, whichever iteration comes first.
#include <stdio.h>

enum { LENGTH = 100 };

struct pair {
    int x, y[2];
};

int main(void)
{
    int array[2] = {-1, -1}, matrix[2][2], seen[LENGTH], scalar = 5;
    struct pair pair = {1, {2, 3}};

#pragma omp target teams distribute parallel for lastprivate(array, matrix)
    for (int i = 0; i < LENGTH; i++) {
        array[0] = i;
        array[1] = 2 * i;
        for (int k = 0; k < 4; k++)
            matrix[k / 2][k % 2] = array[1] + k;
    }
    printf("%d %d, %d %d\n", array[0], array[1], matrix[0][0], matrix[1][1]);

#pragma omp target map(tofrom : array)
#pragma omp parallel for lastprivate(array) schedule(static, 4)
    for (int i = 0; i < LENGTH / 2; i++) {
        array[0] = i;
        array[1] = 2 * i;
    }
    printf("%d %d\n", array[0], array[1]);

#pragma omp target teams distribute parallel for firstprivate(scalar, pair) lastprivate(scalar, pair) map(from : seen)
    for (int i = 0; i < LENGTH; i++) {
        seen[i] = scalar + pair.y[1];
        if (i == LENGTH - 1) {
            scalar = i;
            pair.x = i;
        }
    }
    int faults = 0;
    for (int i = 0; i < LENGTH; i++)
        faults += seen[i] != 8;
    printf("%d, %d %d %d\n", faults, scalar, pair.x, pair.y[1]);

#pragma omp target map(tofrom : scalar) map(from : seen)
#pragma omp parallel for firstprivate(scalar) lastprivate(scalar)
    for (int i = 0; i < LENGTH; i++) {
        seen[i] = scalar;
        if (i == LENGTH - 1)
            scalar = -1;
    }
    faults = 0;
    for (int i = 0; i < LENGTH; i++)
        faults += seen[i] != LENGTH - 1;
    printf("%d, %d\n", faults, scalar);
}
