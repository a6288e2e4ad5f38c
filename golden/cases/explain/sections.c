//! golden explain: explain
//! golden host.explain: explain --target host
/* Pointers that no clause names: what is mapped, what decides that, and what is not known. */
#include <stddef.h>

struct field {
    int n;
    double *values;
};

void sections(int n, unsigned m, size_t length, double *p, double *q, double (*rows)[8], int *list)
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        p[i] = 2 * q[i + 1];
#pragma acc parallel loop
    for (unsigned i = 1; i < m; i++)
        p[i] += q[i - 1];
#pragma acc parallel loop
    for (size_t i = 0; i < length; i++)
        q[i] = 1;
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++)
            rows[i][j] = j;
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            rows[i][j] += i;
#pragma acc parallel loop copyin(list[0 : n])
    for (int i = 0; i < n; i++)
        p[list[i]] = i;
}

void fields(struct field *f, double *p)
{
#pragma acc parallel loop
    for (int i = 0; i < f->n; i++)
        p[i] = f->values[i];
}

void versions(int n, int m, int width, double *p, double *q, double *r)
{
#pragma acc kernels
    for (int i = 0; i < n; i++)
        p[i] = q[i + 1];
#pragma acc kernels
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            r[i * width + j] = p[j] + q[i];
}
