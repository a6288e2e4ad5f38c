//! golden lower.ir: ir --stage lower --no-positions
//! golden outline.ir: ir --stage outline --no-positions
// What declarations say: pointers that are `restrict`, and the extents of subscripted arrays.

struct line {
    int n;
    double x[4];
    double rest[1];
};

static double table[8][16];
double *restrict shared;

// All subscripts of declared arrays have their extents; those of pointers have none, nor has what ends a structure.
void subscripts(int n, double (*m)[16], struct line *p, struct line lines[restrict 3])
{
#pragma acc parallel loop copy(m[0:8], p[0:2], lines[0:3], table)
    for (int i = 0; i < n; i++) {
        m[i][2 * i] = table[i][i + 1];
        p[i].x[i] = lines[i].x[i] + p->rest[i - i];
        (*m)[i] += *(table[i] + i);
    }
}

// An address may be that of the end: no extent.
long ends(int n)
{
    double *end = &table[n][0], *row = table[n], *last = &table[0][n];
    return (end - *table) + (row - *table) + (last - *table) + (long)*(*table + n);
}

// The parameter, a variable of a block, one whose address is taken and one at file scope.
void promises(int n, const double *restrict a, double *b)
{
    double *restrict c = b, *restrict d = b + n, **where = &d;
    shared = *where + n;
#pragma acc parallel loop copyin(a[0:n]) copyout(c[0:n], d[0:n], shared[0:n])
    for (int i = 0; i < n; i++) {
        c[i] = a[i];
        d[i] = 2 * a[i];
        shared[i] = 3 * a[i];
    }
}
