// Conjugate gradients for the 1-D Poisson equation: dot products are the reductions, everything stays on the device.
#include <math.h>
#include <stdio.h>

enum { N = 200 };
static double x[N], r[N], p[N], q[N];

static double dot(const double *a, const double *b)
{
    double sum = 0;
#pragma acc parallel loop reduction(+:sum) present(a[0:N], b[0:N])
    for (int i = 0; i < N; i++)
        sum += a[i] * b[i];
    return sum;
}

static void apply(const double *in, double *out)
{
#pragma acc parallel loop present(in[0:N], out[0:N])
    for (int i = 0; i < N; i++) {
        double left = i > 0 ? in[i - 1] : 0, right = i < N - 1 ? in[i + 1] : 0;
        out[i] = 2 * in[i] - left - right;
    }
}

int main(void)
{
    int steps = 0;
    for (int i = 0; i < N; i++)
        r[i] = p[i] = 1;

#pragma acc data copy(x) copyin(r, p) create(q)
    {
        double rr = dot(r, r);
        while (sqrt(rr) > 1e-8 && steps < 10 * N) {
            apply(p, q);
            double alpha = rr / dot(p, q);
#pragma acc parallel loop present(x, r, p, q)
            for (int i = 0; i < N; i++) {
                x[i] += alpha * p[i];
                r[i] -= alpha * q[i];
            }
            double next = dot(r, r), beta = next / rr;
#pragma acc parallel loop present(p, r)
            for (int i = 0; i < N; i++)
                p[i] = r[i] + beta * p[i];
            rr = next;
            steps++;
        }
    }
    // The exact solution is (i + 1) * (N - i) / 2.
    printf("x[0] = %.4f, x[%d] = %.4f, converged: %s\n", x[0], N / 2, x[N / 2], steps <= N ? "yes" : "no");
    return 0;
}
