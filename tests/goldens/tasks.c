// The golden cases of OpenMP's tasks.
// options: -fopenmp
#include <stdio.h>

#include "../../golden/cases/tasks/graph.c"

int main(void)
{
    int a[100];
    for (int i = 0; i < 100; i++)
        a[i] = i;
    printf("%ld\n", graph(100, a));
    return 0;
}
