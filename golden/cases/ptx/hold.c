//! golden ir: ir --target ptx --stage hold --no-positions
/* What an inner loop updates where code in front of it has stored: a local has it, so that a thread can execute
   several iterations of the nest together. */

void summed_up(int n, int m, int l, const double (*restrict a)[l], const double (*restrict b)[m], double (*restrict c)[m])
{
#pragma acc parallel loop collapse(2) copyin(a[0:n], b[0:l]) copy(c[0:n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] = 0;
            for (int k = 0; k < l; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

/* Without a store in front, where the loop may have no iteration; with another pointer that may lead there; with a
   store that not every iteration makes. */
void left(int n, int m, int l, const double *restrict a, double *restrict c, double *d)
{
#pragma acc parallel loop collapse(2) copyin(a[0:l]) copy(c[0:n * m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                c[i * m + j] += a[k];
    double *e = d;
#pragma acc parallel loop copy(d[0:n + l])
    for (int i = 0; i < n; i++) {
        d[i] = 0;
        for (int k = 0; k < l; k++)
            d[i] += e[n + k];
    }
#pragma acc parallel loop copyin(a[0:l]) copy(c[0:n * m])
    for (int i = 0; i < n; i++) {
        c[i] = 0;
        for (int k = 0; k < l; k++)
            if (a[k] > i)
                c[i] += a[k];
    }
}
