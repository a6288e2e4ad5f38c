/* Module @k: a small linear system by Gauss's elimination, and the residual. */
void multiply_@k(int n, const double *a, const double *x, double *y)
{
#pragma acc parallel loop gang copyin(a[0:n * n], x[0:n]) copyout(y[0:n])
    for (int i = 0; i < n; i++) {
        double sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < n; j++)
            sum += a[i * n + j] * x[j];
        y[i] = sum;
    }
}

int solve_@k(int n, double *a, double *b)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[pivot * n + k]))
                pivot = i;
        if (fabs(a[pivot * n + k]) < 1e-12)
            return 0;
        for (int j = 0; j < n && pivot != k; j++) {
            double keep = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = keep;
        }
        double keep = b[k];
        b[k] = b[pivot];
        b[pivot] = keep;
#pragma acc parallel loop copy(a[0:n * n], b[0:n])
        for (int i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= a[i * n + j] * b[j];
        b[i] /= a[i * n + i];
    }
    return 1;
}

int test_@k(void)
{
    enum { N = 4 + @c };
    double a[N * N], keep[N * N], b[N], y[N], residual = 0;
    for (int i = 0; i < N * N; i++)
        keep[i] = a[i] = i % (N + 1) == 0 ? N + 1 : (i * 7 % 5) * 0.25;
    for (int i = 0; i < N; i++)
        b[i] = i + 1;
    if (!solve_@k(N, a, b))
        return 1;
    multiply_@k(N, keep, b, y);
    for (int i = 0; i < N; i++)
        residual = fmax(residual, fabs(y[i] - (i + 1)));
    if (residual > 1e-9)
        fprintf(stderr, "module @k: residual %g\n", residual);
    return residual > 1e-9;
}
