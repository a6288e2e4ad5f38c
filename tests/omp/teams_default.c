// options: -fopenmp
// `default` of `teams`, on the host and in `target`, is about the variables that no clause names.
#include <stdio.h>

struct pair {
    int x, y[2];
};

int main(void)
{
    int scalar = 6, array[4] = {1, 2, 3, 4}, shared = 0, sum = 0, seen = 0;
    struct pair pair = {1, {2, 3}};

#pragma omp teams num_teams(3) default(firstprivate) reduction(+ : sum) shared(shared)
    {
        scalar += 7;
        array[1] += scalar;
        pair.y[1] += array[1];
        sum += pair.y[1];
#pragma omp atomic
        shared++;
    }
    printf("%d %d %d, %d of %d\n", scalar, array[1], pair.y[1], sum / shared, 18);

#pragma omp teams distribute num_teams(2) default(firstprivate)
    for (int i = 0; i < 4; i++)
        array[i] += scalar;
    printf("%d %d\n", array[0], array[3]);

#pragma omp teams num_teams(2) default(private)
    {
        scalar = 1;
        array[0] = scalar;
    }
    printf("%d %d\n", scalar, array[0]);

#pragma omp target teams num_teams(3) default(firstprivate) map(from : seen) shared(seen)
    {
        scalar += 7;
        array[1] += scalar;
        pair.y[1] += array[1];
        if (pair.y[1] == 18)
#pragma omp atomic write
            seen = 1;
    }
    printf("%d %d %d, %d\n", scalar, array[1], pair.y[1], seen);
}
