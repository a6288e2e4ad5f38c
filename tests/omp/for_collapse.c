// options: -fopenmp
// `collapse`: nests with other types, steps and empty loops; code between what is not collapsed.
#include <stdio.h>

int main(void)
{
    enum { A = 5, B = 7, C = 4 };
    static int seen[A][B][C];
#pragma omp parallel for collapse(3) schedule(dynamic, 5)
    for (int i = 0; i < A; i++)
        for (long j = B - 1; j >= 0; j--)
            for (unsigned k = 0; k < C; k += 2)
                seen[i][j][k] += (int)(100 * i + 10 * j + k);
    long sum = 0, touched = 0;
    for (int i = 0; i < A * B * C; i++) {
        sum += (&seen[0][0][0])[i];
        touched += (&seen[0][0][0])[i] != 0;
    }
    printf("%ld %ld\n", sum, touched);

    int count = 0, empty = 0;
#pragma omp parallel
    {
#pragma omp for collapse(2) reduction(+ : count)
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < i; k++)
                    count++;
#pragma omp for collapse(2) reduction(+ : empty)
        for (int i = 0; i < 6; i++)
            for (int j = 5; j < 5; j++)
                empty++;
    }
    printf("%d %d\n", count, empty);

    int i, j, last = -1;
#pragma omp parallel for collapse(2) lastprivate(i, j, last)
    for (i = 1; i < 8; i += 3)
        for (j = 10; j > 2; j -= 3)
            last = 100 * i + j;
    printf("%d %d %d\n", i, j, last);
    return 0;
}
