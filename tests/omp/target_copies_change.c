// options: -fopenmp
// What an expression has read of a private copy stays what it was when the same expression changes the copy.
#include <stdio.h>

#pragma omp declare target
static int of_function(int x)
{
    int seen = 0;
#pragma omp parallel firstprivate(x) shared(seen) num_threads(1)
    {
        seen = x++ == 4;
        seen += 2 * (x == 5);
    }
    return seen;
}
#pragma omp end declare target

int main(void)
{
    int first = 3, private, last = 0, linear = 5, count = 0, sum = 0, seen[20] = {0};
#pragma omp target map(tofrom : count)
#pragma omp parallel firstprivate(first) private(private) num_threads(1)
    {
        private = 7;
        count += (first++ == 3) + 2 * (private-- == 7);
        count += 4 * (first == 4) + 8 * (private == 6);
    }
    printf("%d\n", count);
#pragma omp target parallel for map(tofrom : seen) lastprivate(last) linear(linear : 2) firstprivate(first)
    for (int i = 0; i < 20; i++) {
        last = i;
        seen[i] = last++ * 100 + linear++ + (first++ == 3);
        linear++;
        first = 3;
    }
    for (int i = 0; i < 20; i++)
        sum += seen[i] * (i + 1);
    printf("%d %d %d\n", sum, last, linear);
#pragma omp target map(from : seen)
    seen[0] = of_function(4);
    printf("%d\n", seen[0]);
    char text[] = "device", *p = text;
    int number = 0;
#pragma omp target data map(tofrom : text) use_device_ptr(p)
#pragma omp target is_device_ptr(p) map(from : number)
    {
        number = *p++ == 'd';
        number += 2 * (*p == 'e');
    }
    printf("%d\n", number);
#pragma omp parallel num_threads(2) firstprivate(first) allocate(first) reduction(+ : number)
    number += first++ == 3;
    printf("%d\n", number);
    return 0;
}
