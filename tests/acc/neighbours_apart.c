// Constructs that follow each other and must stay one after the other, whatever a device makes of them.
#include <stdio.h>

enum { N = 3000 };

static double a[N], b[N], t[N];
static int places[N];

static void start(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i * 7 % 31;
        b[i] = i * 5 % 13;
        t[i] = i * 3 % 17;
        places[i] = i * 7 % N;
    }
}

static void tell(const char *what, const double *x)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 0.75 + x[i];
    printf("%s %.9g\n", what, sum);
}

// Elements of other iterations: behind, in front, from the end, by a table, of one element for all.
static void offsets(int n, double *restrict x, double *restrict y)
{
#pragma acc data copy(x[0:n], y[0:n]) copyin(places)
    {
#pragma acc parallel loop
        for (int i = 0; i < n - 1; i++)
            x[i] = i * 0.5;
#pragma acc parallel loop
        for (int i = 0; i < n - 1; i++)
            y[i] = x[i + 1];
#pragma acc parallel loop
        for (int i = 1; i < n; i++)
            x[i] = y[i] * 2;
#pragma acc parallel loop
        for (int i = 1; i < n; i++)
            y[i] += x[i - 1];
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            x[i] += y[i];
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            y[i] = x[n - 1 - i];
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            x[i] = y[places[i]];
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            y[i] = x[i] + x[n / 2];
    }
}

// Other elements of what one subscript cannot tell: rows of different lengths, and steps.
static void rows(int n, int m, double *restrict x)
{
#pragma acc data copy(x[0:n * m])
    {
#pragma acc parallel loop collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                x[i * m + j] += i - j;
#pragma acc parallel loop collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                x[j * n + i] *= 0.5;
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            x[i] += 1;
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            x[2 * i] += 3;
    }
}

// Pointers that lead to one array, a few elements apart.
static void aliases(int n, double *x, double *y)
{
#pragma acc parallel loop present(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = x[i] * 2 + 1;
#pragma acc parallel loop present(x[0:n], y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = y[i] + 3;
}

// A promise of `restrict` ends with the block that makes it.
static void blocks(int n, double *x)
{
    {
        double *restrict p = x;
#pragma acc parallel loop present(x[0:n], p[0:n])
        for (int i = 0; i < n - 5; i++)
            p[i] += i;
    }
    {
        double *restrict q = x + 5;
#pragma acc parallel loop present(x[0:n], q[0:n - 5])
        for (int i = 0; i < n - 5; i++)
            q[i] *= 2;
    }
}

// What one computes, and the other needs for all iterations.
static void results(int n)
{
    double sum = 0;
#pragma acc parallel loop reduction(+ : sum) copyin(a)
    for (int i = 0; i < n; i++)
        sum += a[i];
#pragma acc parallel loop copy(b)
    for (int i = 0; i < n; i++)
        b[i] += sum;
    sum = 1;
#pragma acc parallel loop reduction(+ : sum) copyin(a)
    for (int i = 0; i < n; i++)
        sum += a[i];
#pragma acc parallel loop reduction(* : sum) copyin(b)
    for (int i = 0; i < n; i++)
        sum *= b[i] > 1e9 ? 2 : 1;
    printf("%.9g\n", sum);
}

// What the host does between them, and on which queue they are.
static void between(int n)
{
    int factor = 2;
#pragma acc data copy(a, b)
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            a[i] += factor;
        factor = 7;
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            b[i] += a[i] * factor;
#pragma acc update self(b)
        b[n / 3] = 1000;
#pragma acc update device(b)
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            a[i] -= b[i];
#pragma acc parallel loop async(1)
        for (int i = 0; i < n; i++)
            b[i] = a[i] * 0.5;
#pragma acc parallel loop async(2) wait(1)
        for (int i = 0; i < n; i++)
            a[i] += b[i];
#pragma acc wait
#pragma acc parallel loop if (n > 5)
        for (int i = 0; i < n; i++)
            b[i] -= 1;
#pragma acc parallel loop if (n > 6)
        for (int i = 0; i < n; i++)
            b[i] *= 2;
    }
}

// A clause that moves the host's bytes behind one that moved nothing: equal where they share their memory or not.
static void clauses(int n)
{
    int is_shared = 0;
#pragma acc parallel copyin(is_shared)
    is_shared = 1;
#pragma acc parallel loop create(t)
    for (int i = 0; i < n; i++)
        t[i] = 1 + i % 3;
#pragma acc parallel loop copyin(t) copy(a)
    for (int i = 0; i < n; i++)
        a[i] += t[i];
#pragma acc parallel loop copyin(b)
    for (int i = 0; i < n; i++)
        b[i] += 2;
#pragma acc parallel loop copyin(b) copy(a)
    for (int i = 0; i < n; i++)
        a[i] -= b[i];
    double off = 0;
    for (int i = 0; i < n; i++) {
        double of_t = is_shared ? 1 + i % 3 : i * 3 % 17, of_b = is_shared ? 2 + i * 5 % 13 : i * 5 % 13;
        off += a[i] - (i * 7 % 31 + of_t - of_b);
    }
    printf("%g\n", off);
}

int main(void)
{
    start();
    offsets(N, a, b);
    tell("offsets", a), tell("offsets", b);
    start();
    rows(50, 60, a);
    tell("rows", a);
    start();
#pragma acc data copy(a)
    {
        aliases(N - 9, a, a + 4);
        aliases(N - 9, a + 2, a);
        blocks(N, a);
    }
    tell("aliases", a);
    start();
    results(N);
    tell("results", b);
    start();
    between(N);
    tell("between", a), tell("between", b);
    start();
    clauses(N);
    return 0;
}
