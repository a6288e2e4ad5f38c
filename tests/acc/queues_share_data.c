// Constructs on several queues share arrays and attached pointers. What each of them brings and takes away is in order for
// the others; the rest waits by clauses.
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int n;
    double *x;
};

static double from[500], one[500], two[500];

static double sums(struct vector v)
{
    double low = 0, high = 0;
#pragma acc enter data copyin(v)
    for (int k = 0; k < 4; k++) {
        // The pointer is attached by whoever comes first, and detached by whoever is last.
#pragma acc parallel loop copyin(v, v.x[0:100]) reduction(+ : low) async(1)
        for (int i = 0; i < 100; i++)
            low += v.x[i] < 50 ? v.x[i] : 0;
#pragma acc parallel loop copyin(v, v.x[0:100]) reduction(+ : high) async(2)
        for (int i = 0; i < v.n; i++)
            high += v.x[i] >= 50 ? v.x[i] : 0;
    }
#pragma acc wait
#pragma acc exit data delete(v)
    return low * 1e6 + high;
}

int main(void)
{
    for (int i = 0; i < 500; i++)
        from[i] = i;
#pragma acc parallel loop copyin(from) copyout(one) async(1)
    for (int i = 0; i < 500; i++)
        one[i] = from[i] + 1;
#pragma acc parallel loop copyin(from) copyout(two) async(2)
    for (int i = 0; i < 500; i++)
        two[i] = from[i] * 2;
#pragma acc wait

    struct vector v = {100, malloc(100 * sizeof(double))};
    for (int i = 0; i < 100; i++)
        v.x[i] = i;
    double both = sums(v);
    free(v.x);

#pragma acc data create(from, one)
    {
#pragma acc update device(from) async(1)
#pragma acc parallel loop async(2) wait(1)
        for (int i = 0; i < 500; i++)
            one[i] = from[i] + 3;
#pragma acc update self(one) async(3) wait(2)
#pragma acc parallel loop async(1) wait(2)
        for (int i = 0; i < 500; i++)
            from[i] = 0;
#pragma acc wait(3) async(1)
#pragma acc wait(1)
    }
    printf("%g %g %.0f\n", one[7], two[7], both);
    return 0;
}
