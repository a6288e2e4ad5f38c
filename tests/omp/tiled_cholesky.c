// options: -fopenmp
// A tiled factorisation as host tasks, as target tasks, and with its diagonal on the host: the same numbers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TILES = 4, SIZE = 5 };

typedef double tile[SIZE * SIZE];

static tile a[TILES][TILES];

#pragma omp declare target
static void factor(double *a)
{
    for (int k = 0; k < SIZE; k++) {
        a[k * SIZE + k] = sqrt(a[k * SIZE + k]);
        for (int i = k + 1; i < SIZE; i++)
            a[i * SIZE + k] /= a[k * SIZE + k];
        for (int j = k + 1; j < SIZE; j++)
            for (int i = j; i < SIZE; i++)
                a[i * SIZE + j] -= a[i * SIZE + k] * a[j * SIZE + k];
    }
}

static void solve(const double *l, double *a)
{
    for (int i = 0; i < SIZE; i++)
        for (int k = 0; k < SIZE; k++) {
            for (int j = 0; j < k; j++)
                a[i * SIZE + k] -= a[i * SIZE + j] * l[k * SIZE + j];
            a[i * SIZE + k] /= l[k * SIZE + k];
        }
}

static void subtract(const double *x, const double *y, double *a)
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            for (int k = 0; k < SIZE; k++)
                a[i * SIZE + j] -= x[i * SIZE + k] * y[j * SIZE + k];
}
#pragma omp end declare target

static void fill(void)
{
    for (int i = 0; i < TILES; i++)
        for (int j = 0; j < TILES; j++)
            for (int k = 0; k < SIZE * SIZE; k++) {
                int row = i * SIZE + k / SIZE, column = j * SIZE + k % SIZE;
                a[i][j][k] = 1.0 / (1 + abs(row - column)) + (row == column ? TILES * SIZE : 0);
            }
}

static void show(const char *how)
{
    double sum = 0;
    for (int i = 0; i < TILES; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < SIZE * SIZE; k++)
                if (i != j || k / SIZE >= k % SIZE)
                    sum += a[i][j][k] * (1 + k % 7);
    printf("%s %.6f\n", how, sum);
}

static void on_host(void)
{
    for (int k = 0; k < TILES; k++) {
#pragma omp task depend(inout : a[k][k])
        factor(a[k][k]);
        for (int i = k + 1; i < TILES; i++) {
#pragma omp task depend(in : a[k][k]) depend(inout : a[i][k])
            solve(a[k][k], a[i][k]);
        }
        for (int i = k + 1; i < TILES; i++)
            for (int j = k + 1; j <= i; j++) {
#pragma omp task depend(in : a[i][k], a[j][k]) depend(inout : a[i][j])
                subtract(a[i][k], a[j][k], a[i][j]);
            }
    }
#pragma omp taskwait
}

/* The tiles are on the device; those of the diagonal come to the host and go back if it is to factor them. */
static void on_device(int diagonal_on_host)
{
#pragma omp target enter data map(to : a)
    for (int k = 0; k < TILES; k++) {
        if (diagonal_on_host) {
#pragma omp target update from(a[k][k]) nowait depend(inout : a[k][k])
#pragma omp task depend(inout : a[k][k])
            factor(a[k][k]);
#pragma omp target update to(a[k][k]) nowait depend(inout : a[k][k])
        } else {
#pragma omp target nowait depend(inout : a[k][k])
            factor(a[k][k]);
        }
        for (int i = k + 1; i < TILES; i++) {
#pragma omp target nowait depend(in : a[k][k]) depend(inout : a[i][k])
            solve(a[k][k], a[i][k]);
        }
        for (int i = k + 1; i < TILES; i++)
            for (int j = k + 1; j <= i; j++) {
#pragma omp target nowait depend(in : a[i][k], a[j][k]) depend(inout : a[i][j])
                subtract(a[i][k], a[j][k], a[i][j]);
            }
    }
#pragma omp taskwait
#pragma omp target exit data map(from : a)
}

int main(void)
{
    fill();
#pragma omp parallel
#pragma omp single
    on_host();
    show("host");
    fill();
    on_device(0);
    show("device");
    fill();
#pragma omp parallel
#pragma omp single
    on_device(1);
    show("both");
    return 0;
}
