/* Ten steps of conjugate gradients for a sparse matrix of n rows with five entries each. */
#include "../loops/timing.h"

enum { ENTRIES = 5 };

int *starts, *columns;
double *entries, *x, *r, *p, *q;

void setup(long n)
{
    starts = array(n + 1, sizeof *starts);
    columns = array(n * ENTRIES, sizeof *columns);
    entries = array(n * ENTRIES, sizeof *entries);
    x = array(n, sizeof *x);
    r = array(n, sizeof *r);
    p = array(n, sizeof *p);
    q = array(n, sizeof *q);
    const int away[ENTRIES] = {-64, -1, 0, 1, 64};
    int used = 0;
    for (int i = 0; i < n; i++) {
        starts[i] = used;
        for (int e = 0; e < ENTRIES; e++)
            if (i + away[e] >= 0 && i + away[e] < n) {
                columns[used] = i + away[e];
                entries[used++] = away[e] ? -1 : 4.5;
            }
    }
    starts[n] = used;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

double kernel(long n)
{
    for (int i = 0; i < n; i++) {
        x[i] = 0;
        r[i] = p[i] = 1 + i % 3;
    }
    double rest = dot(n, r, r);
    for (int step = 0; step < 10; step++) {
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int e = starts[i]; e < starts[i + 1]; e++)
                sum += entries[e] * p[columns[e]];
            q[i] = sum;
        }
        double alpha = rest / dot(n, p, q);
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double next = dot(n, r, r), beta = next / rest;
        rest = next;
        for (int i = 0; i < n; i++)
            p[i] = r[i] + beta * p[i];
    }
    return x[n / 2];
}
