// options: -fopenmp
// Functions that `target` calls are functions of devices without `declare target`: `parallel`, tasks and critical
// sections in them are executed by one thread there, and by threads where the host calls.
#include <omp.h>
#include <stdio.h>

enum { N = 10 };

static int sum_of_squares(int n)
{
    int sum = 0;
    for (int k = 0; k < 2; k++) {
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += i * i;
    }
    return sum;
}

static void add(int *to, int value)
{
#pragma omp critical(sums)
    *to += value;
}

static int team(void)
{
    int members = 0, singles = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp barrier
#pragma omp atomic
        members++;
#pragma omp single
        singles++;
    }
    return members >= 1 && singles == 1;
}

static int fibonacci(int n)
{
    int a = 0, b = 0;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fibonacci(n - 1);
#pragma omp task shared(b)
    b = fibonacci(n - 2);
#pragma omp taskwait
    return a + b;
}

static int halves(int n)
{
    int even[N] = {0}, sum = 0;
#pragma omp taskloop shared(even) num_tasks(2)
    for (int i = 0; i < n; i++)
        even[i] = i / 2;
    for (int i = 0; i < n; i++)
        sum += even[i];
    return sum;
}

static int steps(int n)
{
    int all = 0;
#pragma omp parallel for reduction(+ : all)
    for (int i = 0; i < n; i++) {
        int k = 0;
    again:
        k++;
        if (k < i)
            goto again;
        if (k == 5)
            goto done;
        all++;
    done:
        all++;
    }
    return all;
}

int defined_later(int n);
#pragma omp declare target enter(defined_later)

int main(void)
{
    int squares = 0, added = 0, teams = 0, numbers = 0, half = 0, step = 0, later = 0, all = 0;

#pragma omp target map(tofrom : squares, added, teams, numbers, half, step, later)
    {
        squares = sum_of_squares(N);
        add(&added, 2);
        add(&added, 3);
        teams = team();
        numbers = fibonacci(9);
        half = halves(N);
        step = steps(N);
        later = defined_later(N);
    }
    printf("%d %d %d %d %d %d %d\n", squares, added, teams, numbers, half, step, later);

    add(&added, 4);
    printf("%d %d %d %d %d %d %d\n", sum_of_squares(N), added, team(), fibonacci(9), halves(N), steps(N),
           defined_later(N));

#pragma omp target teams distribute parallel for reduction(+ : all)
    for (int i = 0; i < 100; i++)
        all += sum_of_squares(i % N) + defined_later(i);
    printf("%d\n", all);
    return 0;
}

int defined_later(int n)
{
    int product = 1;
#pragma omp parallel for reduction(* : product)
    for (int i = 0; i < n % 5; i++)
        product *= 2;
    return product;
}
