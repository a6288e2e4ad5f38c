// Executes the golden case of constructs that become one launch.
// also: --gangs 3
#include <stdio.h>

#include "../../golden/cases/ptx/launches.c"

enum { SIDE = 37 };

static float u[SIDE * SIDE], v[SIDE * SIDE], h[SIDE * SIDE], w[SIDE * SIDE];

static double total(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 0.75 + x[i];
    return sum;
}

int main(void)
{
    double x[N], r[N], p[N], q[N], a[SIDE][SIDE], b[SIDE][SIDE];
    for (int i = 0; i < N; i++) {
        x[i] = i * 7 % 31;
        r[i] = i * 5 % 13;
        p[i] = i * 3 % 17;
        q[i] = i * 11 % 19;
    }
    for (int i = 0; i < SIDE * SIDE; i++) {
        u[i] = i * 7 % 31;
        v[i] = i * 5 % 13;
        h[i] = i * 3 % 17;
        a[i / SIDE][i % SIDE] = i * 11 % 19;
        b[i / SIDE][i % SIDE] = i * 13 % 23;
    }
    double sum = 0;
#pragma acc data copy(x, r) copyin(p, q)
    sum = step(N, 0.5, x, r, p, q);
    printf("%.17g %.17g %.17g\n", sum, total(N, x), total(N, r));
    fields(SIDE, u, v, h, w);
    double all = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        all = all * 0.5 + u[i] + 2 * v[i] + 4 * w[i];
    printf("%.17g\n", all);
#pragma acc data copy(x, r, a, b)
    apart(SIDE, x, r, a, b);
    printf("%.17g %.17g %.17g\n", total(N, x), total(N, r), total(SIDE * SIDE, b[0]));
    int count;
    for (int i = 0; i < N; i++)
        q[i] = i;
    moved(x, q, &count);
    printf("%.17g %d\n", total(N, x), count);
    return 0;
}
