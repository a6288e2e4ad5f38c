// options: -fopenmp
// What `omp_orig` is where the threads of one gang reduce: the program's variable,
// whatever copies the gang has.
#include <stdio.h>

struct pair {
    long first, second;
};
#pragma omp declare reduction(larger : struct pair : omp_out = omp_in.first > omp_out.first ? omp_in : \
    omp_out) initializer(omp_priv = omp_orig)
#pragma omp declare reduction(above : long : omp_out = omp_in > omp_out ? omp_in : omp_out) \
    initializer(omp_priv = omp_orig + 1)

int main(void)
{
    struct pair p = {5, 9}, list[3] = {{5, 9}, {1, 2}, {90, 4}};
#pragma omp target parallel for reduction(larger : p)
    for (int i = 0; i < 20; i++)
        if (i > p.first)
            p = (struct pair){i, i * 3};
    printf("%ld %ld\n", p.first, p.second);
#pragma omp target parallel for reduction(larger : list) schedule(static, 2)
    for (int i = 0; i < 60; i++)
        if (i > list[i % 3].first)
            list[i % 3] = (struct pair){i, i * 3};
    for (int k = 0; k < 3; k++)
        printf("%ld %ld\n", list[k].first, list[k].second);

    // Each copy starts with one more than the variable, however many there are of it.
    long one = 5, section[4] = {1, 2, 3, 4}, *behind = section;
#pragma omp target parallel for reduction(above : one)
    for (int i = 0; i < 3; i++)
        if (i > one)
            one = i;
#pragma omp target parallel for reduction(above : behind[1 : 2])
    for (int i = 0; i < 3; i++)
        if (i > behind[1])
            behind[1] = i;
#pragma omp target simd reduction(above : one)
    for (int i = 0; i < 3; i++)
        if (i > one)
            one = i;
    printf("%ld %ld %ld %ld %ld\n", one, section[0], section[1], section[2], section[3]);
    return 0;
}
