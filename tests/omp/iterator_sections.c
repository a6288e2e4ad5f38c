// options: -fopenmp
// An iterator over the last subscript of an item of `map`, `to` and `from` makes a section.
#include <stdio.h>
#include <stdlib.h>

struct list {
    int count;
    double *values;
};

#pragma omp declare mapper(struct list l) map(l) map(iterator(i = 0 : l.count), tofrom : l.values[i])

int main(void)
{
    int a[100], from = 10, to = 60;
    long sum = 0;
    struct list list = {50, calloc(50, sizeof(double))};
    for (int i = 0; i < 100; i++)
        a[i] = 1;
#pragma omp target map(iterator(i = from : to), tofrom : a[i])
    for (int i = from; i < to; i++)
        a[i] = i;
#pragma omp target map(list)
    for (int i = 0; i < list.count; i++)
        list.values[i] += i;
#pragma omp target enter data map(iterator(int i = 0 : 100) : a[i])
#pragma omp target
    for (int i = 0; i < 100; i++)
        a[i]++;
#pragma omp target update from(iterator(i = 50 : 80) : a[i])
    for (int i = 50; i < 80; i++)
        sum += a[i];
#pragma omp target exit data map(delete : a)
    printf("%ld %g\n", sum, list.values[49]);
    free(list.values);
    return 0;
}
