// The golden cases of OpenMP.
// options: -fopenmp
#include <stdio.h>

#include "../../golden/cases/explain/omp_nests.c"

int main(void) {
    int a[100], sum;
    for (int i = 0; i < 100; i++) a[i] = i;
    omp_nests(100, a, &sum);
    printf("%d %d\n", sum, a[99]);
    return 0;
}
