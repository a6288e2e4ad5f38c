// options: -fopenmp
// What several `map` clauses of a directive say of one variable counts together, in any order.
#include <stdio.h>

int main(void)
{
    int a[4] = {1, 2, 3, 4}, b = 5, c[2] = {7, 8};

#pragma omp target data map(to : a) map(from : a) map(from : b) map(to : b) map(alloc : c) map(tofrom : c)
    {
#pragma omp target map(to : a, b, c)
        {
            a[0] += 10;
            b += 10;
            c[1] += 10;
        }
    }
    printf("%d %d %d\n", a[0], b, c[1]);

#pragma omp target map(alloc : a) map(from : b) map(to : a) map(to : b) map(from : a) map(alloc : b)
    {
        a[0] += 10;
        b += 10;
    }
    printf("%d %d\n", a[0], b);

#pragma omp target enter data map(alloc : a) map(to : a)
#pragma omp target map(to : a)
    a[1] += 10;
#pragma omp target exit data map(release : a) map(from : a)
    printf("%d\n", a[1]);

#pragma omp target map(from : a)
    a[0] = a[1] = a[2] = a[3] = 9;
    printf("%d\n", a[3]);
}
