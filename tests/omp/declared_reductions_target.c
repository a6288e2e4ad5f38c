// options: -fopenmp
// Reductions that the program declares, in code of a device.
#include <stdio.h>

struct sums {
    long sum, square;
    int n;
};
#pragma omp declare reduction(+ : struct sums : omp_out.sum += omp_in.sum, omp_out.square += omp_in.square, \
    omp_out.n += omp_in.n)
#pragma omp declare reduction(times : int, long : omp_out *= omp_in) initializer(omp_priv = 1)

int main(void)
{
    struct sums s = {1, 2, 3};
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < 100; i++) {
        s.sum += i;
        s.square += i * i;
        s.n++;
    }
    printf("%ld %ld %d\n", s.sum, s.square, s.n);

    // Set, not added to: the copies start with zeros, and the original counts.
#pragma omp target parallel for reduction(+ : s) num_threads(1)
    for (int i = 0; i < 5; i++)
        s.n = i;
    printf("%d\n", s.n);

#pragma omp target map(tofrom : s)
#pragma omp teams distribute parallel for simd reduction(+ : s) collapse(2)
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            s.square -= i * j;
    printf("%ld\n", s.square);

    int rows[4] = {0}, k = 3;
#pragma omp target teams distribute map(tofrom : rows)
    for (int i = 0; i < 4; i++) {
        struct sums of_row = {10 * i};
#pragma omp parallel for reduction(+ : of_row)
        for (int j = 0; j < 10; j++)
            of_row.sum += i * j;
        rows[i] = of_row.sum;
    }
    printf("%d %d %d %d\n", rows[0], rows[1], rows[2], rows[3]);

    int parts[4] = {1, 2, 3, 4};
#pragma omp target teams num_teams(1) reduction(times : k, parts[1:2])
    {
        k = 5;
        parts[1] = 6;
        parts[2] *= 7;
    }
#pragma omp target map(tofrom : k)
#pragma omp parallel num_threads(1) reduction(times : k)
    k = 2;
    printf("%d %d %d %d %d\n", k, parts[0], parts[1], parts[2], parts[3]);
}
