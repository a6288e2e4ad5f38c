/* A row of sums, by GCC's offloading. */
#include <stdio.h>
int main(void) {
    int n = 1000;
    double total = 0, x[1000];
    for (int i = 0; i < n; i++) x[i] = i;
#pragma acc parallel loop gang worker vector reduction(+ : total) copyin(x) num_gangs(4) num_workers(2) vector_length(32)
    for (int i = 0; i < n; i++)
        total += x[i] * 0.5;
    printf("%g\n", total);
    return 0;
}
