/* n products of matrices of 3 by 3, each a structure by value, its members one by one. */
#include "../loops/timing.h"

typedef struct {
    double a, b, c, d, e, f, g, h, i;
} matrix;

static matrix times(matrix m, matrix n)
{
    matrix r;
    r.a = m.a * n.a + m.b * n.d + m.c * n.g;
    r.b = m.a * n.b + m.b * n.e + m.c * n.h;
    r.c = m.a * n.c + m.b * n.f + m.c * n.i;
    r.d = m.d * n.a + m.e * n.d + m.f * n.g;
    r.e = m.d * n.b + m.e * n.e + m.f * n.h;
    r.f = m.d * n.c + m.e * n.f + m.f * n.i;
    r.g = m.g * n.a + m.h * n.d + m.i * n.g;
    r.h = m.g * n.b + m.h * n.e + m.i * n.h;
    r.i = m.g * n.c + m.h * n.f + m.i * n.i;
    return r;
}

static matrix transposed(matrix m)
{
    return (matrix){m.a, m.d, m.g, m.b, m.e, m.h, m.c, m.f, m.i};
}

static double trace(matrix m)
{
    return m.a + m.e + m.i;
}

matrix *list;

void setup(long n)
{
    list = array(n, sizeof *list);
    for (long i = 0; i < n; i++) {
        double s = i % 5 * 0.1;
        list[i] = (matrix){1, s, 0, -s, 1, s, 0, -s, 1};
    }
}

double kernel(long n)
{
    double sum = 0;
    for (long i = 1; i < n; i++)
        sum += trace(times(transposed(list[i]), list[i - 1]));
    return sum;
}
