// options: -fopenmp
#include <stdio.h>

// `error at(execution)` inside of `target`: the host writes the message, devices cannot.

int main(void)
{
    int x = 1;
#pragma omp target, map(tofrom : x)
    {
        if (x > 1) {
#pragma omp error at(execution) severity(fatal) message("never")
        }
        x = 2;
    }
    printf("%d\n", x);
    return 0;
}
