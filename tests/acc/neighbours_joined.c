// Constructs that follow each other and that a device may execute in one launch: the results are those of one after the other.
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000, SIDE = 40 };

static double a[N], b[N], c[N];
static int counted[SIDE][SIDE], marked[SIDE][SIDE];

static double *array(int n, double start)
{
    double *p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = start + i % 7;
    return p;
}

static double total(const double *x)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 0.5 + x[i];
    return sum;
}

// A variable that both use for themselves, a counter of the function, and one that is private.
static void scalars(int n)
{
    int i;
    double t = 3;
#pragma acc parallel loop private(t)
    for (i = 0; i < n; i++) {
        t = a[i] * 2;
        b[i] = t + i;
    }
#pragma acc parallel loop private(t)
    for (i = 0; i < n; i++) {
        t = b[i] + 1;
        c[i] = t * t;
    }
    printf("%g %g %g\n", t, total(b), total(c));
}

// What the first one overwrites in its own copy, the second one has from the host.
static void copies(int n, double x)
{
#pragma acc parallel loop gang num_workers(1) vector_length(1) firstprivate(x)
    for (int i = 0; i < n; i++) {
        x = i * 3;
        a[i] = x;
    }
#pragma acc parallel loop gang num_workers(1) vector_length(1) firstprivate(x)
    for (int i = 0; i < n; i++)
        b[i] = a[i] + x;
    printf("%g %g\n", a[N - 1], b[N - 1]);
}

// Arrays without a data region: what moves is united.
static void moved(int n)
{
    double *x = array(n, 1), *y = array(n, 2), *z = array(n, 3);
    double sum = 0, most = 0;
#pragma acc parallel loop copyin(x[0:n]) copyout(y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = x[i] * 2;
#pragma acc parallel loop copyin(x[0:n], y[0:n]) copy(z[0:n])
    for (int i = 0; i < n; i++)
        z[i] += x[i] - y[i];
#pragma acc parallel loop copyin(z[0:n]) reduction(+ : sum) reduction(max : most)
    for (int i = 0; i < n; i++) {
        sum += z[i];
        most = z[i] > most ? z[i] : most;
    }
    printf("%g %g %g %g %g\n", sum, most, total(x), total(y), total(z));
    free(x), free(y), free(z);
}

// Conditions, inner loops of a few iterations, `continue`, and nests whose counters have changed names.
static void nests(int n)
{
#pragma acc data copyout(counted, marked)
    {
#pragma acc parallel loop collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < SIDE; j++) {
                marked[i][j] = 0;
                if ((i + j) % 3 == 0)
                    continue;
                for (int k = 0; k < 4; k++)
                    marked[i][j] += (i * k) % 5 == j % 5;
            }
#pragma acc parallel loop collapse(2)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < SIDE; i++) {
                if (marked[j][i] == 0) {
                    counted[j][i] = -1;
                    continue;
                }
                counted[j][i] = marked[j][i] * 10;
            }
    }
    int sum = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            sum = sum * 31 % 10007 + counted[i][j] + marked[i][j];
    printf("%d\n", sum);
}

// A loop of the host around them, and queues.
static void steps(int n)
{
#pragma acc data copy(a, b) copyin(c)
    {
        for (int t = 0; t < 5; t++) {
            double factor = 1.0 / (t + 1);
#pragma acc parallel loop async(1)
            for (int i = 0; i < n; i++)
                a[i] += factor * c[i];
#pragma acc parallel loop async(1)
            for (int i = 0; i < n; i++)
                b[i] = b[i] * 0.5 + a[i];
        }
#pragma acc wait(1)
        for (int t = 0; t < 3; t++) {
#pragma acc kernels
            {
                for (int i = 0; i < n; i++)
                    a[i] = b[i] * 0.5;
                for (int i = 0; i < n; i++)
                    b[i] = a[i] + t;
                for (int i = 1; i < n; i++)
                    a[i] = b[i - 1];
            }
        }
    }
    printf("%g %g\n", total(a), total(b));
}

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i % 11;
    scalars(N);
    copies(N, 2.5);
    moved(N);
    nests(SIDE);
    for (int i = 0; i < N; i++)
        a[i] = i % 11, b[i] = i % 5, c[i] = i % 3;
    steps(N);
    return 0;
}
