// options: -fopenmp
#include <stdio.h>

// Tasks inside of `target` and in functions that devices call run at once, with copies of what is firstprivate. Other
// constructs of threads in such functions have a team of one there.

#pragma omp declare target
static int fibonacci(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    {
        n--;
        a = fibonacci(n);
    }
#pragma omp task shared(b) depend(out : b) untied
    b = fibonacci(n - 2);
#pragma omp taskwait
    return a + b;
}

static void fill(int *to, int count)
{
#pragma omp taskloop grainsize(4)
    for (int i = 0; i < count; i++)
        to[i] = i;
#pragma omp taskgroup
    {
#pragma omp task depend(out : to[0])
        to[0] = 50;
#pragma omp task depend(in : to[0]) depend(iterator(i = 1 : 3), out : to[i])
        to[1] = to[0] + 1;
    }
#pragma omp taskwait depend(in : to[1])
#pragma omp taskyield
}

static int team(int count)
{
    int total = 0, rounds = 0;
#pragma omp single
    total += 1;
#pragma omp master
    total += 10;
#pragma omp sections
    {
        total += 100;
#pragma omp section
        total += 1000;
    }
#pragma omp for ordered
    for (int i = 0; i < count; i++) {
#pragma omp ordered
        rounds = 2 * rounds + i;
    }
#pragma omp barrier
    return total + 10000 * rounds;
}
#pragma omp end declare target

int main(void)
{
    int a[24] = {0}, number = 0, sum = 0, own = 7, all = 0;
    struct {
        int x, y;
    } pair = {1, 2};
#pragma omp target map(tofrom : a, number, sum, own, all, pair)
    {
        number = fibonacci(9);
        fill(a, 8);
        all = team(4);
#pragma omp task
        {
            own = 1000;
            pair.x = 1000;
            a[9] = own + pair.x;
        }
#pragma omp task shared(own) if (0)
        own++;
#pragma omp parallel
#pragma omp single
        for (int i = 0; i < 4; i++) {
            int local = 10 * i;
#pragma omp task depend(inout : sum)
            {
                sum += ++local;
                a[10 + i] = local;
            }
            a[16 + i] = local;
        }
#pragma omp taskgroup task_reduction(+ : sum)
        {
#pragma omp task in_reduction(+ : sum)
            sum += 1000;
        }
#pragma omp taskloop firstprivate(own)
        for (int i = 0; i < 2; i++)
            own += i;
    }
    printf("%d %d %d %d, %d %d\n", number, sum, own, all, pair.x, a[9]);
    for (int i = 0; i < 20; i++)
        printf("%d ", a[i]);
    printf("\n%d\n", fibonacci(8));
    return 0;
}
