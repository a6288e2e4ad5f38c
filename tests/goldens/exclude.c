// Executes the golden case of threads that exclude each other.
// options: -fopenmp
#include <stdio.h>

#include "../../golden/cases/tasks/exclude.c"

int main(void)
{
    printf("%ld %ld %ld\n", exclude(0), exclude(1000), exclude(1));
    return 0;
}
